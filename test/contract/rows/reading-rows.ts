import { ask } from '../contract-answer.js';
import type { ContractRow } from '../contract-row.js';
import { newAddress } from '../contract-services.js';

function rankingRows(path: string): readonly ContractRow[] {
  const endpoint = `GET ${path}`;
  return [
    {
      endpoint,
      status: 200,
      code: null,
      when: 'no parameter',
      ask: ({ plain }) => ask(plain.baseUrl, path),
    },
    {
      endpoint,
      status: 200,
      code: null,
      when: 'a tool that nobody knows',
      ask: ({ plain }) => ask(plain.baseUrl, `${path}?tool=unheard-of&period=7d&limit=200`),
    },
    knownRow(path),
    ...['limit=0', 'limit=201', 'limit=ten', 'period=1d', 'tool=a&tool=b', 'category='].map(
      (query): ContractRow => ({
        endpoint,
        status: 400,
        code: 'invalid_query',
        when: query,
        ask: ({ plain }) => ask(plain.baseUrl, `${path}?${query}`),
      }),
    ),
    limitedRow(path),
    {
      endpoint,
      status: 503,
      code: 'not_ready',
      when: 'the published rows could not be read yet',
      ask: ({ cutOff }) => ask(cutOff, path),
    },
  ];
}

function knownRow(path: string): ContractRow {
  return {
    endpoint: `GET ${path}`,
    status: 304,
    code: null,
    when: 'the tag of the last answer',
    ask: async ({ plain }) => {
      const { headers } = await ask(plain.baseUrl, path);
      const etag = headers.get('etag') ?? '';
      return ask(plain.baseUrl, path, { headers: { 'if-none-match': etag } });
    },
  };
}

function limitedRow(path: string): ContractRow {
  return {
    endpoint: `GET ${path}`,
    status: 429,
    code: 'rate_limited',
    when: 'a second request where one is taken a day',
    ask: async ({ limited }) => {
      const headers = newAddress();
      await ask(limited, path, { headers });
      return ask(limited, path, { headers });
    },
  };
}

/** Specification 4.4 and 4.5. */
export const reading_rows: readonly ContractRow[] = [
  ...['/api/v1/adoption', '/api/v1/agent-rank'].flatMap(rankingRows),
  {
    endpoint: 'GET /methodology',
    status: 200,
    code: null,
    when: 'always',
    ask: ({ plain }) => ask(plain.baseUrl, '/methodology'),
  },
  knownRow('/methodology'),
  limitedRow('/methodology'),
];
