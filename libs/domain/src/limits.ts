/**
 * Every fixed limit of one event. Limits that an operator may move are settings
 * (`docs/configuration.md`); these belong to the contract and are the same everywhere.
 */
export const event_limits = {
  /** Size of one event as compact JSON, in UTF-8 bytes. */
  event_bytes_max: 32 * 1024,
  /** The same with marks in the place of identities that it repeats (`docs/privacy.md`). */
  masked_bytes_max: 64 * 1024,
  event_depth_max: 16,
  event_properties_max: 512,
  event_name_characters_max: 80,
  idempotency_key_characters_max: 200,
  identifier_characters_max: 512,
  name_characters_max: 300,
  domain_characters_max: 253,
  /** How far `occurredAt` may lie in the future, in milliseconds. */
  future_ms_max: 24 * 60 * 60 * 1000,
  /** Findings reported for one request; the rest is counted, not listed. */
  findings_max: 50,
} as const;
