import { ask, type ContractAnswer } from '../contract-answer.js';
import type { ContractRow } from '../contract-row.js';
import { newAddress, type ContractServices } from '../contract-services.js';
import { eventually } from '../../support/eventually.js';

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
    acceptedRow(path, 'text/csv'),
    unacceptableRow(path),
    knownRow(path),
    knownRow(path, 'text/csv'),
    ...[
      'limit=0',
      'limit=201',
      'limit=ten',
      'period=1d',
      'tool=a&tool=b',
      'category=',
      'cursor=x',
    ].map((query): ContractRow => ({
      endpoint,
      status: 400,
      code: 'invalid_query',
      when: query,
      ask: ({ plain }) => ask(plain.baseUrl, `${path}?${query}`),
    })),
    {
      endpoint,
      status: 200,
      code: null,
      when: 'the page that follows another',
      ask: async ({ plain }) => ask(plain.baseUrl, await nextPage(plain.baseUrl, path)),
    },
    {
      endpoint,
      status: 410,
      code: 'cursor_expired',
      when: 'the cursor of an epoch that is no longer shown',
      ask: (services) => askLater(services, path),
    },
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

/** The address of the second page, where a page has one row. */
async function nextPage(baseUrl: string, path: string): Promise<string> {
  const { text } = await ask(baseUrl, `${path}?limit=1`);
  const { page } = JSON.parse(text) as { readonly page: { readonly nextCursor: string } };
  return `${path}?limit=1&cursor=${page.nextCursor}`;
}

/** Takes a cursor, publishes another epoch, and asks with the cursor once it is shown. */
async function askLater({ plain }: ContractServices, path: string): Promise<ContractAnswer> {
  const next = await nextPage(plain.baseUrl, path);
  const epoch = await plain.publish();
  await eventually(
    async () => (await plain.get(path)).body['epoch'],
    (shown) => shown === epoch,
  );
  return ask(plain.baseUrl, next);
}

function acceptedRow(path: string, accept: string): ContractRow {
  return {
    endpoint: `GET ${path}`,
    status: 200,
    code: null,
    when: `accepts ${accept}`,
    ask: ({ plain }) => ask(plain.baseUrl, path, { headers: { accept } }),
  };
}

function unacceptableRow(path: string): ContractRow {
  return {
    endpoint: `GET ${path}`,
    status: 406,
    code: 'not_acceptable',
    when: 'accepts pictures',
    ask: ({ plain }) => ask(plain.baseUrl, path, { headers: { accept: 'image/png' } }),
  };
}

function knownRow(path: string, accept = '*/*'): ContractRow {
  return {
    endpoint: `GET ${path}`,
    status: 304,
    code: null,
    when: `the tag of the last answer for ${accept}`,
    ask: async ({ plain }) => {
      const { headers } = await ask(plain.baseUrl, path, { headers: { accept } });
      const etag = headers.get('etag') ?? '';
      return ask(plain.baseUrl, path, { headers: { accept, 'if-none-match': etag } });
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
  acceptedRow('/methodology', 'text/html'),
  acceptedRow('/methodology', 'text/markdown'),
  unacceptableRow('/methodology'),
  knownRow('/methodology'),
  limitedRow('/methodology'),
  acceptedRow('/methodology.md', '*/*'),
  knownRow('/methodology.md'),
  limitedRow('/methodology.md'),
];
