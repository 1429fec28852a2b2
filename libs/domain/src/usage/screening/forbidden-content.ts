import type { Finding } from '../../errors.js';
import { event_limits } from '../../limits.js';
import { escapedPointerToken } from '../../text/json-pointer.js';
import type { SentUsageEvent } from '../sent-usage-event.js';
import { forbidden_names, isContent, isConversation } from './forbidden-names.js';
import { unsearched_fields } from './schema-fields.js';
import { holdsSecret } from './secret-values.js';

const forbidden_name_detail =
  'Prompts, completions and source code are not taken. Leave this field out.';
const secret_detail =
  'This looks like a secret. Leave it out, and rotate it if it is live: it has left your system.';
const secret_name_detail = 'The name of a property in here looks like a secret. Leave it out.';

/**
 * What in an event must not be stored, up to `findings_max` times, by JSON pointer and never by
 * value: fields named as prompts, completions or source code, and texts that look like secrets.
 */
export function forbiddenContent(sent: SentUsageEvent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (!unsearched_fields.has(name)) search(name, value, '', findings);
  }
  return findings;
}

/** `parent`: the pointer of the object that the name belongs to. */
function search(name: string, value: unknown, parent: string, findings: Finding[]): void {
  if (findings.length >= event_limits.findings_max) return;
  if (holdsSecret(name)) {
    findings.push({ code: 'forbidden_content', pointer: parent, detail: secret_name_detail });
    return;
  }
  const pointer = `${parent}/${escapedPointerToken(name)}`;
  if ((forbidden_names.has(name) && isContent(value)) || isConversation(name, value)) {
    findings.push({ code: 'forbidden_content', pointer, detail: forbidden_name_detail });
  } else if (typeof value === 'string') {
    if (!holdsSecret(value)) return;
    findings.push({ code: 'forbidden_content', pointer, detail: secret_detail });
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, member] of Object.entries(value)) search(inner, member, pointer, findings);
  }
}
