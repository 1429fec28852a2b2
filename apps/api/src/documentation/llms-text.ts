import { error_catalogue, statusOf, type ErrorCode } from '#domain/errors.js';
import type { Endpoint } from '../http/endpoint.js';
import type { RateLimitPolicies } from '../rate-limits/rate-limit-policies.js';
import { interface_version } from './openapi.js';

/** `/llms.txt`: what an agent has to know to use the service, in plain text. */
export function toLlmsText(
  endpoints: readonly Endpoint[],
  policies: RateLimitPolicies,
  baseUrl: string,
): string {
  return `# Uptake

> Adoption tracking for developer and AI tools. Vendors send usage events with a tracking key;
> anybody reads aggregate adoption rankings that give no small group of developers away.

Address: ${baseUrl}. Interface version ${interface_version}. Schemas: ${baseUrl}/openapi.json

## Endpoints

${endpoints.map(toLine).join('\n')}

## Authentication

Public reads need none. Tracking needs \`Authorization: Bearer <TRACKING_KEY>\`. A tracking key
begins with trk_, is kept in the environment variable SERVICE_ADOPTION_KEY, and stays on a server:
never in a browser, a prompt, an address or a repository. A workflow token does not do instead.

## Sending events

- Every event needs event_name and developer_id or email. With an organization's key it also needs
  product, and to be stored an idempotencyKey: a stable id of the event at its source.
- Try an event with POST /api/usage/track/dry-run first and do what mapping.nextFixes says.
- Stored means tracked: true and an eventId. A retry with the same key and content answers
  duplicate: true; other content under the same key is refused with 409.
- After an uncertain answer (503, timeout) send the same events again with the same keys.
- Leave prompts, completions, source code and secrets out of events.

## Reading adoption

- Rows without figures (insufficient_data, missing) are no proof that a tool is not used.
- Cite the epoch. Evidence labels are shown side by side and must not be added up.
- Figures change with an epoch only: send If-None-Match with the last ETag; 304 costs no quota.
- More rows: send page.nextCursor as cursor until it is null. A cursor ends with its epoch
  (410 cursor_expired): then begin again without one.
- Accept: text/csv answers the same rows as CSV.
- How the figures are made, and what they do not say: ${baseUrl}/methodology.md

## Limits

${limitsOf(endpoints, policies).map(toLimitLine).join('\n')}

RateLimit and X-RateLimit-Remaining tell what remains; on 429 wait for Retry-After seconds.

## Errors

application/problem+json with a stable code; ${baseUrl}/problems/<code> says what to do.

${Object.keys(error_catalogue).map(toErrorLine).join('\n')}
`;
}

/** The limits that an endpoint of the table has. */
function limitsOf(endpoints: readonly Endpoint[], policies: RateLimitPolicies) {
  const names = new Set(endpoints.flatMap(({ policy }) => policy ?? []));
  return [...names].map((name) => policies[name]);
}

function toLine({ method, path, summary, access, policy }: Endpoint): string {
  const key = access === 'public' ? '' : ' (tracking key)';
  return `- ${method} ${path}${key}: ${summary}.${policy === null ? '' : ` Limit: ${policy}.`}`;
}

function toLimitLine({ name, limit, unit, windowMs }: RateLimitPolicies['tracking']): string {
  return `- ${name}: ${limit} ${unit} in ${windowMs / 1000} s`;
}

function toErrorLine(code: string): string {
  return `- ${code} (${statusOf(code as ErrorCode)}): ${error_catalogue[code as ErrorCode].title}`;
}
