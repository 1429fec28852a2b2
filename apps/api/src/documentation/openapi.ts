import { error_catalogue, statusOf, type ErrorCode } from '#domain/errors.js';
import { app_version } from '#runtime/version.js';
import type { Endpoint, EndpointAnswer, JsonSchema } from '../http/endpoint.js';
import { component_schemas, schemaOf } from './schemas.js';

/** Version of the interface description, specification 9. */
export const interface_version = '2026-05-22';

const limit_headers = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit'];
const more_limit_headers = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** What may happen before a request is anybody's. */
const everywhere =
  'Before its operation is known, any request may also be answered with 400 (malformed_request, ' +
  'for what is no HTTP), 408 (request_timeout, for a header that does not end), 417 (for Expect) ' +
  'and 431 (headers_too_large).';
const summary = `Adoption tracking and public adoption rankings. Build ${app_version}.`;
/** Of every further form of an answer. */
const text_schema = { type: 'string' };
/** What problems of a status tell in their header beside the rest. */
const problem_headers: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The OpenAPI 3.1 document of the given endpoints. */
export function toOpenApiDocument(endpoints: readonly Endpoint[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Uptake',
      version: interface_version,
      description: `${summary}\n\n${everywhere}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: component_schemas,
      headers: toHeaders(),
      securitySchemes: {
        trackingKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A tracking key (trk_…). It belongs on a server, never into a browser.',
        },
      },
    },
  };
}

function toOperation(endpoint: Endpoint): object {
  const { method, path, tag, summary, description, access, parameters, body } = endpoint;
  return {
    operationId: operationIdOf(method, path),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: access === 'public' ? [] : [{ [access]: [] }],
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          body.types.map((type) => [
            type,
            type === 'application/json'
              ? { schema: body.schema, example: body.example }
              : { schema: { type: 'string', description: 'One event a line.' } },
          ]),
        ),
      },
    }),
    responses: toResponses(endpoint),
  };
}

function toResponses(endpoint: Endpoint): object {
  const responses: Record<string, object> = {};
  for (const [status, answer] of Object.entries(endpoint.answers)) {
    responses[status] = toResponse(answer, endpoint);
  }
  for (const [status, codes] of byStatus(endpoint.problems)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${error_catalogue[code].title}`).join('\n\n'),
      ...headersOf(status === '408' ? null : endpoint.policy, problem_headers[status]),
      content: { 'application/problem+json': { schema: schemaOf('Problem') } },
    };
  }
  return responses;
}

function toResponse(answer: EndpointAnswer, endpoint: Endpoint): object {
  const { description, type, otherTypes = [], schema = {} } = answer;
  const types = type === undefined ? [] : [type, ...otherTypes];
  return {
    description,
    ...headersOf(endpoint.policy),
    ...(types.length > 0 && {
      content: Object.fromEntries(
        types.map((one) => [one, { schema: one === type ? schema : text_schema }]),
      ),
    }),
  };
}

/** `{ 400: ['invalid_json', …], 429: ['rate_limited'] }` as entries. */
function byStatus(codes: readonly ErrorCode[]): ReadonlyMap<string, ErrorCode[]> {
  const groups = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(statusOf(code));
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** What every answer of an endpoint has, except 408: then nobody knows yet whose request it is. */
function headersOf(
  policy: Endpoint['policy'],
  more: readonly string[] = [],
): { readonly headers: Record<string, JsonSchema> } {
  const limits = policy === null ? [] : [...limit_headers, ...more_limit_headers];
  return {
    headers: Object.fromEntries(
      ['X-Request-Id', ...limits, ...more].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
  };
}

function toHeaders(): Readonly<Record<string, object>> {
  const described: Readonly<Record<string, string>> = {
    'X-Request-Id': 'The id under which this request is logged.',
    RateLimit: 'What remains (r) and in how many seconds the window ends (t).',
    'RateLimit-Policy': 'The quota (q), its unit (qu) and its window in seconds (w).',
    'X-RateLimit-Limit': 'The quota of a window.',
    'X-RateLimit-Remaining': 'What remains of it.',
    'X-RateLimit-Reset': 'When the window ends, in seconds since 1970.',
    'WWW-Authenticate': 'The credential that is asked for.',
    'Retry-After': 'Seconds to wait before the request is sent again.',
  };
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** `POST /api/usage/track/dry-run` is `postApiUsageTrackDryRun`. */
function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const capitalised = words.map((word) => word[0]!.toUpperCase() + word.slice(1));
  return method.toLowerCase() + (capitalised.join('') || 'Root');
}
