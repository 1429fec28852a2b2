import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { event_limits } from '../limits.js';
import { canonicalJson, isPlain, type JsonBudget } from '../text/canonical-json.js';
import type { FreeForm, SentUsageEvent } from './sent-usage-event.js';

/** Version of the canonical form; part of what is hashed, so that forms never mix. */
export const canonical_version = 1;
const version_line = `${canonical_version}\n`;

/** An event with its aliases folded and its identities already hashed. */
export interface FoldedEvent {
  readonly sent: SentUsageEvent;
  readonly eventName: string;
  readonly eventFamily: string | null;
  /** Keyed hashes, never the identifiers themselves. */
  readonly developerHash: string | null;
  readonly userHash: string | null;
  readonly emailHash: string | null;
}

/** From this length on a native checksum is cheaper than a loop. */
const long_characters_min = 100;

/** A hash of one field's JSON. It only names what changed, so 24 bits of a checksum suffice. */
function fieldHash(json: string): number {
  return json.length < long_characters_min ? fnv1a(json, fnv_basis) : crc32(json);
}

/** The hash of `"text"`, without joining the quotes to a text that needs nothing else. */
function plainTextHash(text: string): number {
  if (text.length + 2 >= long_characters_min) return crc32(`"${text}"`);
  return fnv1a('"', fnv1a(text, fnv_basis_quote));
}

const fnv_basis = 0x811c9dc5;

function fnv1a(text: string, basis: number): number {
  let state = basis;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return state;
}

const fnv_basis_quote = fnv1a('"', fnv_basis);

type FieldReader = (event: FoldedEvent, extra: FreeForm | null) => unknown;

/**
 * The fields of the canonical form in their order, with the pointer that a conflict names. The
 * position of a field is part of stored field hashes: append, never reorder.
 */
const readers: readonly (readonly [name: string, read: FieldReader])[] = [
  ['event_name', (event) => event.eventName],
  ['eventType', (event) => event.sent.eventType],
  ['event_family', (event) => event.eventFamily],
  ['developer_id', (event) => event.developerHash],
  ['userId', (event) => event.userHash],
  ['email', (event) => event.emailHash],
  ['account_domain', (event) => event.sent.account_domain],
  ['product', (event) => event.sent.product],
  ['account', (event) => event.sent.account],
  ['workflow', (event) => event.sent.workflow],
  ['workload', (event) => event.sent.workload],
  ['mcp_server', (event) => event.sent.mcp_server],
  ['mcp_tool', (event) => event.sent.mcp_tool],
  ['agent_framework', (event) => event.sent.agent_framework],
  ['model_provider', (event) => event.sent.model_provider],
  ['tokens_consumed', (event) => event.sent.tokens_consumed],
  ['credit_cents', (event) => event.sent.credit_cents],
  ['latency_ms', (event) => event.sent.latency_ms],
  ['retry_count', (event) => event.sent.retry_count],
  ['error_count', (event) => event.sent.error_count],
  ['metadata', (event) => event.sent.metadata],
  ['context', (event) => event.sent.context],
  ['occurredAt', (event) => event.sent.occurredAt],
  ['projectId', (event) => event.sent.projectId],
  ['source', (event) => event.sent.source],
  ['extra', (_event, extra) => extra],
];
const fields = readers.map(([name, read]) => ({ name, read, label: `"${name}":` }));

/** Properties that the canonical form covers by name, or that identify rather than describe. */
const named_properties: ReadonlySet<string> = new Set([
  ...fields.map(({ name }) => name).filter((name) => name !== 'extra'),
  'eventFamily',
  'developerId',
  'idempotencyKey',
  'event_id',
]);

export interface CanonicalEvent {
  /** Canonical JSON text of the event, as it enters the log. */
  readonly text: string;
  /** SHA-256 over version and text, hex. */
  readonly payloadHash: string;
  /** Four bytes for each field that is present: its position and 24 bits of its content; base64. */
  readonly fieldHashes: string;
}

/**
 * Writes an event down so that the same content always gives the same text, before any default of
 * the server.
 * @throws JsonBudgetError for too deep or too many properties.
 */
export function canonicalEvent(event: FoldedEvent): CanonicalEvent {
  const { named, extra } = propertiesOf(event.sent);
  const budget: JsonBudget = {
    depth_max: event_limits.event_depth_max - 1,
    properties: event_limits.event_properties_max - named,
  };
  // The version leads the text that is hashed, and stays out of the one that is stored.
  let text = version_line + '{';
  let count = 0;
  for (let position = 0; position < fields.length; position += 1) {
    const field = fields[position]!;
    const value = field.read(event, extra);
    if (value === undefined || value === null) continue;
    if (count > 0) text += ',';
    if (typeof value === 'string' && isPlain(value)) {
      text += `${field.label}"${value}"`;
      writeFieldHash(count, position, plainTextHash(value));
    } else {
      const json = canonicalJson(value, budget);
      text += field.label + json;
      writeFieldHash(count, position, fieldHash(json));
    }
    count += 1;
  }
  text += '}';
  const payloadHash = hash('sha256', text, 'hex');
  return {
    text: text.slice(version_line.length),
    payloadHash,
    fieldHashes: hashes.toString('base64', 0, count * 4),
  };
}

// Written over for every event.
const hashes = Buffer.alloc(fields.length * 4);

function writeFieldHash(index: number, position: number, content: number): void {
  const at = index * 4;
  hashes[at] = position;
  hashes[at + 1] = content >>> 16;
  hashes[at + 2] = content >>> 8;
  hashes[at + 3] = content;
}

/** The payload hash of a canonical text, such as the log holds: by it the ledger can be rebuilt. */
export function payloadHashOf(canonicalText: string): string {
  return hash('sha256', version_line + canonicalText, 'hex');
}

/**
 * JSON pointers of the fields in which two events differ, by their stored field hashes. When the
 * hashes cannot tell (24 bits may collide), the pointer of the whole event, `''`.
 */
export function changedFields(before: string, after: string): string[] {
  const [old, fresh] = [byPosition(before), byPosition(after)];
  const pointers = fields.flatMap(({ name }, position) =>
    old.get(position) === fresh.get(position) ? [] : [name === 'extra' ? '' : `/${name}`],
  );
  return pointers.length > 0 ? pointers : [''];
}

function byPosition(fieldHashes: string): ReadonlyMap<number, number> {
  const bytes = Buffer.from(fieldHashes, 'base64');
  const found = new Map<number, number>();
  for (let offset = 0; offset + 4 <= bytes.length; offset += 4) {
    found.set(bytes.readUInt8(offset), bytes.readUIntBE(offset + 1, 3));
  }
  return found;
}

/** How many properties the event has that are known here, and all the others. */
function propertiesOf(sent: SentUsageEvent): { named: number; extra: FreeForm | null } {
  let named = 0;
  let extra: Record<string, unknown> | null = null;
  for (const name of Object.keys(sent)) {
    if (named_properties.has(name)) {
      named += 1;
      continue;
    }
    // A property called __proto__ stays a property.
    extra ??= Object.create(null) as Record<string, unknown>;
    extra[name] = sent[name];
  }
  return { named, extra };
}
