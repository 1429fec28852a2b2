import type { Finding } from '../../errors.js';
import { NameSet } from '../../text/name-set.js';
import type { SentUsageEvent } from '../sent-usage-event.js';
import { forbidden_names, isContent, isConversation } from './forbidden-names.js';
import { holdsSecret } from './secret-values.js';

/** Fields that leave the API as hashes only. */
export const hashed_fields = new NameSet([
  'developer_id',
  'developerId',
  'userId',
  'email',
  'idempotencyKey',
  'event_id',
]);

/** Top-level texts that are not searched for secrets: hashed, of a fixed form, or a bare name. */
export const unsearched_fields = new NameSet([
  'developer_id',
  'developerId',
  'userId',
  'email',
  'idempotencyKey',
  'event_id',
  'event_name',
  'eventType',
  'event_family',
  'eventFamily',
  'account_domain',
  'occurredAt',
]);

/** The same within `product` and `account`. */
export const unsearched_inner_fields = new NameSet(['id', 'name', 'type', 'version', 'domain']);

/** The fields of an object in the event that are not searched. */
export function unsearchedIn(name: string): NameSet | null {
  return name === 'product' || name === 'account' ? unsearched_inner_fields : null;
}

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
    if (unsearched_fields.has(name)) continue;
    const unsearched = unsearchedIn(name);
    if (unsearched === null || typeof value !== 'object' || value === null) {
      search(name, value, `/${escaped(name)}`, findings);
      continue;
    }
    for (const [inner, member] of Object.entries(value)) {
      if (unsearched.has(inner)) continue;
      search(inner, member, `/${name}/${escaped(inner)}`, findings);
    }
  }
  return findings;
}

function search(name: string, value: unknown, pointer: string, findings: Finding[]): void {
  if ((forbidden_names.has(name) && isContent(value)) || isConversation(name, value)) {
    findings.push({ code: 'forbidden_content', pointer, detail: forbidden_name_detail });
  } else if (typeof value === 'string') {
    if (!holdsSecret(value)) return;
    findings.push({ code: 'forbidden_content', pointer, detail: secret_detail });
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, member] of Object.entries(value)) {
      search(inner, member, `${pointer}/${escaped(inner)}`, findings);
    }
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
