import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptedEvent, cohortOf } from './projector-world.js';
import { ReadsUnderTest } from './reads-under-test.js';

let reads: ReadsUnderTest;
beforeAll(async () => {
  reads = await ReadsUnderTest.open();
});
afterAll(() => reads.close());

const get = (path: string, headers: Record<string, string> = {}) => reads.get(path, headers);
const page = (path: string) => reads.page(path);

describe('before the first epoch', () => {
  it('answers 200 without rows, says that nothing is published, and can be cached', async () => {
    const answer = await get('/api/v1/adoption');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ epoch: null, rows: [], total: 0, snapshot: null });
    expect(answer.json()['statement']).toMatch(/^Nothing has been published yet/);
    expect(answer.headers['etag']).toMatch(/^"[\w-]+"$/);
  });

  it('says of a tool that it is missing, as ever, and has no rows of a category', async () => {
    const { rows } = await page('/api/v1/adoption?tool=alpha');
    expect(rows).toMatchObject([{ status: 'missing', tool: { slug: 'alpha' }, metrics: null }]);
    expect(await page('/api/v1/adoption?category=agents')).toMatchObject({ rows: [], total: 0 });
  });
});

describe('the public adoption reads', () => {
  beforeAll(async () => {
    const slugs = ['alpha', 'beta', 'gamma'];
    const { world } = reads;
    const [alpha, beta, gamma] = await Promise.all(slugs.map((slug) => world.addTool(slug)));
    await world.accept([
      ...cohortOf(alpha!.productId, 30, 6),
      ...cohortOf(beta!.productId, 60, 10, { evidence: 'sample' }),
      ...cohortOf(gamma!.productId, 24, 5),
    ]);
    await reads.startProjector();
    await reads.publish();
  });

  it('list every catalogued tool, ranked ones first', async () => {
    const { rows, total, suppressed } = await page('/api/v1/adoption');
    expect(rows.map(({ tool, rank, status }) => [tool.slug, rank, status])).toEqual([
      ['beta', 1, 'published'],
      ['alpha', 2, 'published'],
      ['gamma', null, 'insufficient_data'],
    ]);
    expect([total, suppressed]).toEqual([3, 1]);
  });

  it('carry methodology, suppression, confidence and the snapshot', async () => {
    const body = await page('/api/v1/adoption?period=7d');
    const start = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
    expect(body).toMatchObject({
      schemaVersion: 'service-adoption-v1',
      period: '7d',
      window: { from: `${start}T00:00:00.000Z` },
      snapshot: { id: 'epoch-1', period: '7d', nextPublicationAt: null },
      suppression: { minDevelopers: 20, minAccounts: 5, rounding: 'ladder' },
      methodology: { version: 'adoption-score-v1', url: '/methodology' },
    });
    expect(body.rows[0]).toMatchObject({
      metrics: { developers: { value: 50, lower: 48, upper: 62 }, accounts: { value: 10 } },
      confidence: { level: 'low' },
      evidence: [{ label: 'sample', share: 1 }],
    });
    expect((await get('/methodology')).json()).toMatchObject({
      methodology: { version: 'adoption-score-v1' },
    });
  });

  it('are the same under both names', async () => {
    const query = '?period=90d&limit=2';
    const [adoption, rank] = await Promise.all([
      get(`/api/v1/adoption${query}`),
      get(`/api/v1/agent-rank${query}`),
    ]);
    expect(rank.body).toEqual(adoption.body);
  });

  it('answer 304 to whoever holds the page, and other bytes have another tag', async () => {
    const first = await get('/api/v1/adoption');
    const etag = first.headers['etag'] as string;
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=60, stale-while-revalidate=300',
      vary: 'Accept, Accept-Encoding',
      'content-type': 'application/json; charset=utf-8',
    });
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/api/v1/adoption', { 'if-none-match': held });
      expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    }
    const other = await get('/api/v1/adoption?limit=1', { 'if-none-match': etag });
    expect(other.status).toBe(200);
    expect(other.headers['etag']).not.toBe(etag);
  });

  it('say of a tool that nobody knows that it is missing, and of a category nothing', async () => {
    const missing = await page('/api/v1/adoption?tool=unheard-of');
    expect(missing.rows).toMatchObject([
      { status: 'missing', rank: null, tool: { id: null, slug: 'unheard-of' } },
    ]);
    expect((await page('/api/v1/adoption?category=unheard-of')).rows).toEqual([]);
  });

  it('show a row with the same content whatever was asked for', async () => {
    const all = await page('/api/v1/adoption');
    for (const row of all.rows) {
      expect((await page(`/api/v1/adoption?tool=${row.tool.slug}`)).rows).toEqual([row]);
    }
    expect((await page('/api/v1/adoption?category=agents&limit=200')).rows).toEqual(all.rows);
  });

  it.each([
    ['period=31d', 'period'],
    ['period=', 'period'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=2.0', 'limit'],
    ['limit=+2', 'limit'],
    ['limit=', 'limit'],
    ['tool=', 'tool'],
    [`category=${'x'.repeat(101)}`, 'category'],
    ['tool=a&tool=b', 'tool'],
    ['limit=5&limit=5', 'limit'],
  ])('refuse ?%s with 400 and name the parameter', async (query, parameter) => {
    const answer = await get(`/api/v1/adoption?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toMatch('application/problem+json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ code: 'invalid_query', errors: [{ parameter }] });
  });

  it.each(['tool', 'category', 'period', 'limit', 'cursor'])(
    'say that %s was given twice, whatever it was',
    async (parameter) => {
      const answer = await get(`/api/v1/adoption?${parameter}=1&${parameter}=1`);
      const errors = [{ parameter, detail: expect.stringContaining('only once') }];
      expect(answer.json()).toMatchObject({ code: 'invalid_query', errors });
    },
  );

  it('ignore parameters that they do not know', async () => {
    const plain = await get('/api/v1/adoption');
    expect((await get('/api/v1/adoption?page=9&colour=red')).body).toEqual(plain.body);
  });

  it('do not change within an epoch, and change with the next', async () => {
    const before = await get('/api/v1/adoption');
    const { world } = reads;
    const productId = (
      await world.database.query<{ id: string }[]>("select id from product where slug = 'gamma'")
    )[0]!.id;
    await world.accept([acceptedEvent(productId, 500, { account: 6 })]);
    await reads.projected();
    expect((await get('/api/v1/adoption')).body).toEqual(before.body);
    expect(await reads.publish()).toBe(2);
    const gamma = (await page('/api/v1/adoption?tool=gamma')).rows[0];
    expect(gamma?.status).toBe('published');
  });

  it('name no developer, account or organization', async () => {
    const { body } = await get('/api/v1/adoption?limit=200');
    expect(body).not.toMatch(/account\d|9000000000000000\d\d\d|0190b6f4-0000/);
  });
});
