import { ask, askRaw } from '../contract-answer.js';
import type { ContractRow } from '../contract-row.js';

const page = (
  path: string,
  status = 200,
  endpoint = path,
  headers: Readonly<Record<string, string>> = {},
): ContractRow => ({
  endpoint: `GET ${endpoint}`,
  status,
  code: status === 404 ? 'not_found' : null,
  when: [path, ...Object.values(headers)].join(' as '),
  ask: ({ plain }) => ask(plain.baseUrl, path, { headers }),
});

const script = '/docs/start.js';
const unheard_of = 'a'.repeat(150);

/** What operators, readers and programs ask about the service itself. */
export const service_rows: readonly ContractRow[] = [
  page('/healthz'),
  page('/readyz'),
  {
    endpoint: 'GET /readyz',
    status: 503,
    code: null,
    when: 'the column store does not answer',
    ask: ({ cutOff }) => ask(cutOff, '/readyz'),
  },
  page('/metrics'),
  page('/', 302),
  page('/docs'),
  page(script, 200, '/docs/:asset'),
  {
    endpoint: 'GET /docs/:asset',
    status: 304,
    code: null,
    when: 'the tag of the last answer',
    ask: async ({ plain }) => {
      const etag = (await ask(plain.baseUrl, script)).headers.get('etag') ?? '';
      return ask(plain.baseUrl, script, { headers: { 'if-none-match': etag } });
    },
  },
  page('/docs/package.json', 404, '/docs/:asset'),
  page(`/docs/${unheard_of}`, 404, '/docs/:asset'),
  page('/openapi.json'),
  page('/llms.txt'),
  page('/problems'),
  page('/problems', 200, '/problems', { accept: 'text/markdown' }),
  page('/problems/not_found', 200, '/problems/:code'),
  page('/problems/not_found', 200, '/problems/:code', { accept: 'text/markdown' }),
  page('/problems/no_such_code', 404, '/problems/:code'),
  page(`/problems/${unheard_of}`, 404, '/problems/:code'),
];

/** What is answered before a request reaches an endpoint, or where there is none. */
export const other_rows: readonly ContractRow[] = [
  {
    endpoint: null,
    status: 404,
    code: 'not_found',
    when: 'nothing is there',
    ask: ({ plain }) => ask(plain.baseUrl, '/api/nothing'),
  },
  {
    endpoint: null,
    status: 405,
    code: 'method_not_allowed',
    when: 'a method that is not taken',
    ask: ({ plain }) => ask(plain.baseUrl, '/api/usage/track', { method: 'DELETE' }),
  },
  {
    endpoint: null,
    status: 400,
    code: 'malformed_request',
    when: 'an address that cannot be decoded',
    ask: ({ plain }) => ask(plain.baseUrl, '/problems/%E0%A4%A'),
  },
  {
    endpoint: null,
    status: 400,
    code: 'malformed_request',
    when: 'what is no HTTP',
    ask: ({ plain }) => askRaw(plain.baseUrl, 'HELO example\r\n\r\n'),
  },
  {
    endpoint: null,
    status: 408,
    code: 'request_timeout',
    when: 'half a header',
    ask: ({ hasty }) => askRaw(hasty, 'GET /docs HTTP/1.1\r\nHost: a'),
  },
  {
    endpoint: null,
    status: 431,
    code: 'headers_too_large',
    when: 'a header over 16 KiB',
    ask: ({ plain }) =>
      askRaw(plain.baseUrl, `GET /docs HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n`),
  },
];
