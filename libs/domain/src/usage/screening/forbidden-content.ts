import type { Finding } from '../../errors.js';
import { NameSet } from '../../text/name-set.js';
import type { SentUsageEvent } from '../sent-usage-event.js';
import { forbidden_names, isContent, isConversation } from './forbidden-names.js';
import { holdsSecret } from './secret-values.js';

/**
 * Top-level fields that are not looked into: names of a fixed form, the time, and identifiers that
 * leave the API as hashes only.
 */
export const unscreened_fields = new NameSet([
  'event_name',
  'eventType',
  'event_family',
  'eventFamily',
  'developer_id',
  'developerId',
  'userId',
  'email',
  'idempotencyKey',
  'event_id',
  'occurredAt',
]);

const forbidden_name_detail =
  'Prompts, completions and source code are not taken. Leave this field out.';
const secret_detail =
  'This looks like a secret. Leave it out, and rotate it if it is live: it has left your system.';

/**
 * Everything in an event that must not be stored, by JSON pointer and never by value: fields named
 * as prompts, completions or source code, and values that look like secrets.
 */
export function forbiddenContent(sent: SentUsageEvent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (!unscreened_fields.has(name)) look(name, value, `/${escaped(name)}`, findings);
  }
  return findings;
}

function look(name: string, value: unknown, pointer: string, findings: Finding[]): void {
  const refuse = (detail: string) =>
    findings.push({ code: 'forbidden_content', pointer, detail });
  if ((forbidden_names.has(name) && isContent(value)) || isConversation(name, value)) {
    refuse(forbidden_name_detail);
  } else if (typeof value === 'string') {
    if (holdsSecret(value)) refuse(secret_detail);
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, member] of Object.entries(value)) {
      look(inner, member, `${pointer}/${escaped(inner)}`, findings);
    }
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
