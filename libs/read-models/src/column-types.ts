import { evidence_labels } from '#domain/evidence.js';
import { event_families } from '#domain/usage/event-catalogue.js';

/** Codes are positions and are stored: append to the lists, never reorder them. */
const enum8 = (names: readonly string[], first: number): string =>
  `Enum8(${names.map((name, index) => `'${name}' = ${index + first}`).join(', ')})`;

export const family_type = enum8(['unassigned', ...event_families], 0);
export const evidence_type = enum8(evidence_labels, 1);

/** Stands for "no product" in sorting keys, which take no NULL. */
export const no_product = '00000000-0000-0000-0000-000000000000';

/** How long personal rows are kept, in days. */
export const kept_days = 400;
