import type { ErrorCode } from '#domain/errors.js';
import { newEvent } from '../contract-services.js';

/** One way in which an event can be wrong: 400 everywhere. */
export interface EventFault {
  readonly code: ErrorCode;
  readonly when: string;
  readonly event: () => Readonly<Record<string, unknown>>;
}

const day_ms = 24 * 60 * 60 * 1000;
const nested = (levels: number): object =>
  Array.from({ length: levels }).reduce<object>((inner) => ({ inner }), {});
const numbered = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`property${index}`, index]));

const fault = (code: ErrorCode, when: string, change: () => object): EventFault => ({
  code,
  when,
  event: () => ({ ...newEvent(), ...change() }),
});
const without = (code: ErrorCode, when: string, names: readonly string[]): EventFault =>
  fault(code, when, () => Object.fromEntries(names.map((name) => [name, undefined])));

/** Specification 2.3 and 4.8, with the codes that were agreed where it names none. */
export const event_faults: readonly EventFault[] = [
  without('invalid_event', 'faults of several kinds', ['event_name', 'developer_id']),
  fault('invalid_field', 'a negative latency', () => ({ latency_ms: -1 })),
  without('missing_event_name', 'no event_name', ['event_name']),
  fault('malformed_event_name', 'a name with a blank', () => ({ event_name: 'first call' })),
  fault('unknown_event_name', 'a name without family', () => ({ event_name: 'OUR_OWN_NAME' })),
  fault('event_family_mismatch', 'another family', () => ({ event_family: 'intent' })),
  fault('event_type_mismatch', 'another eventType', () => ({ eventType: 'INSTALL' })),
  fault('conflicting_aliases', 'two keys', () => ({ event_id: 'another-key' })),
  without('missing_developer', 'no developer', ['developer_id']),
  without('missing_product', 'an organization key without product', ['product']),
  fault('occurred_in_future', 'an event of the day after tomorrow', () => ({
    occurredAt: new Date(Date.now() + 2 * day_ms).toISOString(),
  })),
  fault('too_old', 'an event of another age', () => ({ occurredAt: '2001-01-01T00:00:00.000Z' })),
  fault('event_too_large', 'more than 32 KiB', () => ({ metadata: { note: 'n'.repeat(33_000) } })),
  fault('event_too_deep', 'more than 16 levels', () => ({ metadata: nested(17) })),
  fault('too_many_properties', 'more than 512 properties', () => ({ metadata: numbered(513) })),
  fault('forbidden_content', 'a prompt', () => ({ metadata: { prompt: 'Write a poem.' } })),
];
