import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { api_endpoints } from '../../apps/api/src/documentation/endpoints/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { leaksIn, privateFactsOf, type PrivateFacts } from './leaks/private-facts.js';
import { publicAnswers, type PublicAnswer } from './leaks/public-answers.js';

const developers = 66;
const accounts = 6;
const slugs = ['code-search', 'small-tool'];

const developerOf = (index: number) => `grace-hopper-${index}-private`;
const emailOf = (index: number) => `person-${index}@mailbox-${index % accounts}-private.com`;
const accountOf = (index: number) => `customer-${index % accounts}-private.com`;
const everybody = Array.from({ length: developers }, (_, index) => index);

/** What the vendor sends; two of its developers use a tool that is not published. */
const events = everybody.flatMap((index) =>
  (index < 2 ? slugs : slugs.slice(0, 1)).map((product) => ({
    event_name: 'FIRST_API_CALL',
    developer_id: developerOf(index),
    email: emailOf(index),
    account_domain: accountOf(index),
    product: { id: product },
    context: { attribution: { campaignId: 'campaign-private', source: 'source-private' } },
    idempotencyKey: `key-private-${product}-${index}`,
  })),
);

const sent: PrivateFacts = {
  'developer id': everybody.map(developerOf),
  'e-mail address': everybody.map(emailOf),
  'account domain': everybody.slice(0, accounts).map(accountOf),
  'domain of an e-mail address': everybody
    .slice(0, accounts)
    .map((at) => emailOf(at).split('@')[1]!),
  campaign: ['campaign-private', 'source-private'],
  'idempotency key': ['key-private'],
};

let service: SpecService;
let facts: PrivateFacts;
let answers: readonly PublicAnswer[];

beforeAll(async () => {
  service = await startSpecService({ BATCH_THREADS: '0', RATE_LIMIT_PUBLIC_READ: '1000000/60' });
  await registerSmallTool(service);
  await service.startClerk();
  await service.startProjector();
  const { status } = await service.post('/api/usage/track/batch', { events });
  expect(status).toBe(200);
  await eventually(
    async () => {
      await service.publish();
      return JSON.stringify((await service.get('/api/v1/adoption')).body);
    },
    (page) => page.includes('"status":"published"'),
  );
  facts = await privateFactsOf(service, sent);
  answers = await publicAnswers(service.baseUrl, slugs);
}, 90_000);
afterAll(() => service.stop());

describe('whoever asks without a credential', () => {
  it('finds no developer, account, organization, product or key of a vendor in any answer', () => {
    const leaking = answers.flatMap(({ asked, text }) =>
      leaksIn(text, facts).map((leak) => ({ asked, ...leak })),
    );
    expect(leaking).toEqual([]);
  });
});

/** A scan that looks at nothing, or for nothing, would find nothing. */
describe('the scan', () => {
  it('asks every endpoint, and gets rows with and without figures in each form', () => {
    for (const { method, path } of api_endpoints) {
      const start = `${method} ${path.split(':', 1)[0]}`;
      expect([start, answers.some(({ asked }) => asked.startsWith(start))]).toEqual([start, true]);
    }
    const shown = answers.map(({ text }) => text);
    for (const form of ['"status":"published"', ',published,', '"insufficient_data"']) {
      expect([form, shown.some((text) => text.includes(form))]).toEqual([form, true]);
    }
    const statuses = new Set(answers.map(({ status }) => status));
    for (const status of [200, 204, 400, 401, 406]) expect(statuses).toContain(status);
  });

  it('knows a private text of every kind', () => {
    for (const [kind, secrets] of Object.entries(facts)) {
      expect([kind, secrets.length > 0]).toEqual([kind, true]);
      expect([kind, secrets.every((secret) => secret.length >= 8)]).toEqual([kind, true]);
    }
    expect(facts['dev_key of the rows']).toHaveLength(2 * developers);
  });

  it('finds what stands in the private rows', async () => {
    const clickhouse = openClickhouse({ url: service.config.clickhouseUrl!, app: 'spec' });
    const rows = await clickhouse.rows<object>('SELECT * FROM usage_events_v1');
    await clickhouse.close();
    const kinds = new Set(leaksIn(JSON.stringify(rows), facts).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining(['account key', 'dev_key of the rows', 'organization id']),
    );
  });
});

async function registerSmallTool({ directory, organizationId }: SpecService): Promise<void> {
  const tool = { slug: 'small-tool', name: 'Small Tool' };
  const toolId = await directory.createTool({ ...tool, categorySlug: 'agents' });
  await directory.createProduct({ ...tool, organizationId, toolId, type: 'api' });
}
