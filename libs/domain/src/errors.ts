/** The one catalogue of error codes: code → kind → HTTP status → title. */
const kinds = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method: 405,
  not_acceptable: 406,
  late: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  media_type: 415,
  limited: 429,
  headers: 431,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorKind = keyof typeof kinds;

const entry = (kind: ErrorKind, title: string) => ({ kind, title });

/** What to do about each code is in `error-remedies.ts`; `/problems/<code>` shows both. */
export const error_catalogue = {
  malformed_request: entry('invalid', 'The request is not valid HTTP or broke off.'),
  invalid_json: entry('invalid', 'The body is not valid JSON.'),
  invalid_body: entry('invalid', 'The body does not have the expected shape.'),
  invalid_query: entry('invalid', 'A query parameter is not valid.'),
  invalid_event: entry('invalid', 'An event is not valid.'),
  invalid_field: entry('invalid', 'A field does not have the expected form.'),
  missing_event_name: entry('invalid', 'An event has no event_name.'),
  malformed_event_name: entry('invalid', 'An event_name is not in upper snake case.'),
  unknown_event_name: entry('invalid', 'An event_name is not known and comes without a family.'),
  event_family_mismatch: entry('invalid', 'A family contradicts the catalogued event name.'),
  event_type_mismatch: entry('invalid', 'An eventType contradicts the event_name.'),
  conflicting_aliases: entry('invalid', 'Two spellings of one field have different values.'),
  missing_developer: entry('invalid', 'An event identifies no developer.'),
  missing_product: entry('invalid', 'An event names no product.'),
  missing_idempotency_key: entry('invalid', 'An event has no idempotency key.'),
  occurred_in_future: entry('invalid', 'An event lies too far in the future.'),
  too_old: entry('invalid', 'An event is older than what is kept.'),
  event_too_large: entry('invalid', 'An event is larger than the maximum.'),
  event_too_deep: entry('invalid', 'An event is nested too deeply.'),
  too_many_properties: entry('invalid', 'An event has too many properties.'),
  forbidden_content: entry('invalid', 'An event holds a secret, a prompt or source code.'),
  empty_batch: entry('invalid', 'The batch holds no event.'),
  batch_too_large: entry('invalid', 'The batch holds more events than the maximum.'),
  missing_token: entry('unauthenticated', 'The request carries no bearer token.'),
  invalid_token: entry('unauthenticated', 'The token is unknown, malformed or revoked.'),
  placeholder_token: entry('unauthenticated', 'The token is a placeholder that was not filled in.'),
  wrong_token_kind: entry('unauthenticated', 'This kind of token is not accepted here.'),
  invalid_signature: entry('unauthenticated', 'The signature is missing or wrong.'),
  key_used_in_browser: entry('unauthenticated', 'Tracking keys must not be used from a browser.'),
  not_found: entry('not_found', 'There is nothing at this address.'),
  method_not_allowed: entry('method', 'This address does not take this method.'),
  not_acceptable: entry('not_acceptable', 'There is no form of the answer that is accepted.'),
  request_timeout: entry('late', 'The request did not arrive in time.'),
  idempotency_conflict: entry('conflict', 'A changed event under an existing idempotency key.'),
  cursor_expired: entry('gone', 'The cursor belongs to a ranking that is no longer shown.'),
  body_too_large: entry('too_large', 'The body is larger than the maximum.'),
  unsupported_media_type: entry('media_type', 'The content type is not supported.'),
  unsupported_encoding: entry('media_type', 'The content encoding is not supported.'),
  rate_limited: entry('limited', 'The quota of this window is used up.'),
  headers_too_large: entry('headers', 'The header fields are larger than the maximum.'),
  internal_error: entry('internal', 'The service failed on this request.'),
  store_uncertain: entry('unavailable', 'Storing did not finish; retry with the same key.'),
  overloaded: entry('unavailable', 'The service takes no more work for the moment.'),
  not_ready: entry('unavailable', 'The service is not ready.'),
} as const;

export type ErrorCode = keyof typeof error_catalogue;

/** The HTTP status of a code: `statusOf('idempotency_conflict') === 409`. */
export function statusOf(code: ErrorCode): number {
  return kinds[error_catalogue[code].kind];
}

/** One thing that is wrong with a request, and where. */
export interface Finding {
  readonly code: ErrorCode;
  readonly detail: string;
  /** JSON pointer into the body, `/events/3/event_name`. */
  readonly pointer?: string;
  /** Name of a query parameter. */
  readonly parameter?: string;
  /** What to send instead, when that is known. */
  readonly suggestion?: string;
}

export interface ProblemExtras {
  readonly errors?: readonly Finding[];
  /** Further members of the problem body, such as `eventId` of a conflict. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An answer that is an error of the catalogue; the edge makes it `application/problem+json`. */
export class ProblemError extends Error {
  readonly errors: readonly Finding[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    extras: ProblemExtras = {},
  ) {
    super(`${code}: ${detail}`, { cause: extras.cause });
    this.name = 'ProblemError';
    this.errors = extras.errors ?? [];
    this.members = extras.members ?? {};
    this.retryAfterSeconds = extras.retryAfterSeconds ?? null;
  }
}
