import type { ErrorCode } from './errors.js';

/** What a client does about each code of the catalogue; shown at `/problems/<code>`. */
export const error_remedies: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'Send the whole request again; if it recurs, look at proxies on the way.',
  invalid_json: 'Send JSON in UTF-8; `position` counts the characters up to the fault.',
  invalid_body: 'Compare the body with the schema of the endpoint in /openapi.json.',
  invalid_query: 'Correct the parameters named in `errors`; each may be given only once.',
  invalid_event: 'Correct the fields that `errors` points to and send the events again.',
  invalid_field: 'Correct the fields that `errors` points to.',
  missing_event_name: 'Add `event_name`, for example FIRST_API_CALL.',
  malformed_event_name: 'Write the name in capitals, digits and underscores; take the suggestion.',
  unknown_event_name: 'Use a suggested name, or send `event_family` along with a name of your own.',
  event_family_mismatch: 'Leave `event_family` out, or send the one that belongs to the name.',
  event_type_mismatch: 'Leave `eventType` out, or send the one that goes with the name.',
  conflicting_aliases: 'Send the field in one spelling only.',
  missing_developer: 'Add `developer_id` or `email`; send both when you have them.',
  missing_product: 'Add `product` with its id or name: the key speaks for an organization.',
  missing_idempotency_key: 'Add `idempotencyKey`: a stable id of the event at its source.',
  occurred_in_future: 'Send the time of the event, with its zone; check the clock of the sender.',
  too_old: 'Leave events out that are older than the retention time.',
  event_too_large: 'Shorten the event; move bulky values out of `metadata`.',
  event_too_deep: 'Flatten the objects of the event.',
  too_many_properties: 'Send fewer properties.',
  forbidden_content:
    'Take the field that `errors` points to out of the event before it leaves your server;' +
    ' if it was a live secret, rotate it.',
  empty_batch: 'Send at least one event.',
  batch_too_large: 'Split the batch; `maximum` is the number of events one request may have.',
  invalid_signature:
    'Sign the body as it is sent: HMAC-SHA-256 under the tracking key, in `x-service-signature`.',
  missing_token: 'Send `Authorization: Bearer <key>`.',
  invalid_token: 'Check that the whole key arrives; if it was revoked, take its successor.',
  placeholder_token: 'Set the environment variable that the placeholder names.',
  wrong_token_kind: 'Use a tracking key for tracking and a workflow token for workflows.',
  key_used_in_browser: 'Send events from a server, and rotate this key: it has been exposed.',
  not_found: 'Check the address; /openapi.json lists all of them.',
  method_not_allowed: 'Use a method that the `Allow` header names.',
  not_acceptable: 'Name a media type in `Accept` that `supported` lists, or send no `Accept`.',
  request_timeout: 'Send the request faster, or in smaller parts, over a better connection.',
  idempotency_conflict:
    'A retry must be the same event. If this is another event, give it a key of its own;' +
    ' `changedFields` names the differences.',
  cursor_expired:
    'A new epoch was published: drop the pages you have, ask again without `cursor`, and follow' +
    ' `page.nextCursor` from there.',
  body_too_large: 'Split the body; the limit counts the bytes after decompression.',
  unsupported_media_type: 'Send `Content-Type: application/json`, or what the endpoint documents.',
  unsupported_encoding: 'Send the body plain, or with one of gzip, deflate and br.',
  rate_limited: 'Wait as many seconds as `Retry-After` says, then go on more slowly.',
  headers_too_large: 'Send fewer or shorter header fields, cookies above all.',
  internal_error: 'Try again later; when asking for help, name the request id.',
  store_uncertain: 'Retry with the same idempotency keys: nothing is stored twice.',
  overloaded: 'Nothing was stored; retry after the time that `Retry-After` gives.',
  not_ready: 'Retry shortly; /readyz names what is missing.',
};
