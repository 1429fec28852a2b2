import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cohortOf } from './projector-world.js';
import { ReadsUnderTest, type ReadAnswer } from './reads-under-test.js';

/** Seven tools, the first three of them with figures. */
const slugs = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'];

let reads: ReadsUnderTest;
beforeAll(async () => {
  reads = await ReadsUnderTest.open();
  const { world } = reads;
  const tools = [];
  for (const slug of slugs) tools.push(await world.addTool(slug));
  await world.accept([
    ...cohortOf(tools[0]!.productId, 90, 9),
    ...cohortOf(tools[1]!.productId, 60, 6),
    ...cohortOf(tools[2]!.productId, 30, 6),
    ...cohortOf(tools[3]!.productId, 9, 3),
  ]);
  await reads.startProjector();
  await reads.publish();
});
afterAll(() => reads.close());

const address = '/api/v1/adoption';
const csv = { accept: 'text/csv' };

/** Every page from the first on, by the link to the next one. */
async function follow(path: string, headers: Record<string, string> = {}): Promise<ReadAnswer[]> {
  const answers = [await reads.get(path, headers)];
  for (let at = 0; answers[at]!.headers['link'] !== undefined; at += 1) {
    const next = /^<(\?[^>]+)>; rel="next"$/.exec(answers[at]!.headers['link']!)![1]!;
    answers.push(await reads.get(path.split('?', 1)[0]! + next, headers));
  }
  return answers;
}

describe('pages of the ranking', () => {
  it.each(['', '&period=7d', '&category=agents', '&tool=alpha', '&category=none'])(
    'one after another have every row once, in order: ?limit=2%s',
    async (filter) => {
      const whole = await reads.page(`${address}?limit=200${filter}`);
      const pages = (await follow(`${address}?limit=2${filter}`)).map((answer) => answer.json());
      expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows);
      expect(pages.every(({ total }) => total === whole.total)).toBe(true);
      expect(pages.every(({ suppressed }) => suppressed === whole.suppressed)).toBe(true);
      expect(pages.at(-1)!.page.nextCursor).toBeNull();
      expect(whole.page.nextCursor).toBeNull();
    },
  );

  it('may change their size on the way, and have one name or the other', async () => {
    const first = await reads.page(`${address}?limit=2`);
    const cursor = first.page.nextCursor!;
    const rest = await reads.page(`/api/v1/agent-rank?limit=200&cursor=${cursor}`);
    const whole = await reads.page(address);
    expect([...first.rows, ...rest.rows]).toEqual(whole.rows);
  });

  it('have tags of their own, and 304 for them', async () => {
    const [first, second] = await follow(`${address}?limit=3`);
    const path = `${address}?limit=3&cursor=${first!.json().page.nextCursor}`;
    expect(second!.headers['etag']).not.toBe(first!.headers['etag']);
    const again = await reads.get(path, { 'if-none-match': second!.headers['etag']! });
    expect([again.status, again.body]).toEqual([304, '']);
    const other = await reads.get(path, { 'if-none-match': first!.headers['etag']! });
    expect(other.status).toBe(200);
  });

  it.each([
    ['changed', (cursor: string) => `?cursor=${cursor.slice(0, -2)}AA`],
    ['invented', () => `?cursor=${Buffer.from('[1,"",2]').toString('base64url')}`],
    ['empty', () => '?cursor='],
    ['too long', () => `?cursor=${'A'.repeat(201)}`],
    ['given twice', (cursor: string) => `?cursor=${cursor}&cursor=${cursor}`],
    ['of another tool', (cursor: string) => `?tool=alpha&cursor=${cursor}`],
    ['of another category', (cursor: string) => `?category=agents&cursor=${cursor}`],
    ['of another period', (cursor: string) => `?period=90d&cursor=${cursor}`],
  ])('refuse a cursor that is %s with 400 and name the parameter', async (_what, query) => {
    const { page } = await reads.page(`${address}?limit=1`);
    const answer = await reads.get(address + query(page.nextCursor!));
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'invalid_query',
      errors: [{ parameter: 'cursor' }],
    });
  });
});

describe('the ranking as CSV', () => {
  it('has the rows of the JSON answer in their order, under a header line', async () => {
    const { rows, epoch } = await reads.page(address);
    const answer = await reads.get(address, csv);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="uptake-adoption-30d-epoch-${epoch}.csv"`,
      'cache-control': 'public, max-age=60, stale-while-revalidate=300',
      vary: 'Accept, Accept-Encoding',
    });
    const [header = [], ...lines] = parse(answer.body);
    const records = lines.map((cells) =>
      Object.fromEntries(cells.map((cell, at) => [header[at]!, cell])),
    );
    expect(records).toHaveLength(slugs.length);
    for (const [at, record] of records.entries()) {
      for (const [name, cell] of Object.entries(record)) {
        const expected = valueAt(rows[at]!, name);
        if (expected !== undefined) expect([name, cell]).toEqual([name, expected]);
      }
    }
    expect(records[0]).toMatchObject({
      'metrics.developers.value': '100',
      evidence: 'first_party 1',
      period: '30d',
      epoch: String(epoch),
    });
  });

  it('goes on page by page like the JSON answer', async () => {
    const pages = await follow(`${address}?limit=3`, csv);
    const whole = parse((await reads.get(address, csv)).body);
    expect(pages.flatMap(({ body }) => parse(body).slice(1))).toEqual(whole.slice(1));
  });

  it('is another version than the JSON answer: neither tag stands for the other', async () => {
    const [json, table] = [await reads.get(address), await reads.get(address, csv)];
    expect(table.headers['etag']).not.toBe(json.headers['etag']);
    const held = { 'if-none-match': table.headers['etag']! };
    expect((await reads.get(address, held)).status).toBe(200);
    expect((await reads.get(address, { ...csv, ...held })).status).toBe(304);
  });

  it('holds no formula, whatever was asked for', async () => {
    const { body } = await reads.get(`${address}?tool=${encodeURIComponent('=1+1,"x')}`, csv);
    expect(parse(body)[1]).toContain(`'=1+1,"x`);
  });

  it.each(['text/html', 'application/xml', 'application/json;q=0'])(
    'or JSON is all there is: 406 to %s',
    async (accept) => {
      const answer = await reads.get(address, { accept });
      expect(answer.status).toBe(406);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toMatchObject({
        code: 'not_acceptable',
        supported: ['application/json', 'text/csv'],
      });
    },
  );
});

describe('HEAD', () => {
  it.each([{}, csv])('answers as GET does, without the body: %j', async (accept) => {
    const shown = await reads.get(address, accept);
    const head = await reads.get(address, accept, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'vary']) {
      expect([name, head.headers[name]]).toEqual([name, shown.headers[name]]);
    }
    const held = { ...accept, 'if-none-match': shown.headers['etag']! };
    const unchanged = await reads.get(address, held, 'HEAD');
    expect(unchanged.status).toBe(304);
    // RFC 9110, 8.6: the length of the page, or none.
    for (const name of ['content-length', 'content-type']) {
      expect([name, unchanged.headers[name]]).toEqual([name, shown.headers[name]]);
    }
  });
});

describe('the tag of a page', () => {
  it('stands for the query, not for how it was written', async () => {
    const { headers } = await reads.get(address);
    for (const query of ['?limit=25', '?period=30d&limit=25', '?limit=25&colour=red']) {
      expect((await reads.get(address + query)).headers['etag']).toBe(headers['etag']);
    }
    for (const query of ['?limit=24', '?period=7d', '?category=agents']) {
      for (const accept of [{}, csv]) {
        const other = await reads.get(address + query, accept);
        expect(other.headers['etag']).not.toBe((await reads.get(address, accept)).headers['etag']);
      }
    }
  });
});

describe('the methodology', () => {
  it.each([
    ['/methodology', '*/*', 'application/json; charset=utf-8'],
    ['/methodology', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['/methodology', 'text/markdown', 'text/markdown; charset=utf-8'],
    ['/methodology.md', '*/*', 'text/markdown; charset=utf-8'],
    ['/methodology.md', 'text/html', 'text/markdown; charset=utf-8'],
  ])('%s for %s is %s, and 304 to whoever has it', async (path, accept, type) => {
    const { status, headers, body } = await reads.get(path, { accept });
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(body).toContain('stands for a small group of developers');
    const held = { accept, 'if-none-match': headers['etag']! };
    expect((await reads.get(path, held)).status).toBe(304);
  });

  it('is a page that runs nothing and loads nothing', async () => {
    const { headers, body } = await reads.get('/methodology', { accept: 'text/html' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).not.toMatch(/<script|<link|<img|https?:\/\//);
    expect(body.match(/<h1>/g)).toHaveLength(1);
  });

  it('has no form but these: 406', async () => {
    expect((await reads.get('/methodology', { accept: 'image/png' })).status).toBe(406);
  });
});

describe('once the next epoch is shown', () => {
  it('a cursor of the last one is answered with 410, which says how to begin again', async () => {
    const before = await reads.page(`${address}?limit=2`);
    const path = `${address}?limit=2&cursor=${before.page.nextCursor}`;
    expect((await reads.get(path)).status).toBe(200);
    const epoch = await reads.publish();
    const answer = await reads.get(path);
    expect(answer.status).toBe(410);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      code: 'cursor_expired',
      epoch,
      detail: expect.stringContaining('without a cursor') as unknown,
    });
    expect((await reads.page(`${address}?limit=2`)).epoch).toBe(epoch);
  });
});

/** The value at a dotted path as a cell has it; undefined where the row has no such place. */
function valueAt(row: object, path: string): string | undefined {
  const names = path.split('.');
  if (!Object.hasOwn(row, names[0]!) || path === 'evidence' || path === 'caveats') return undefined;
  if (path === 'confidence.reasons') return undefined;
  const value = names.reduce<unknown>(
    (inner, name) => (inner == null ? null : (inner as Record<string, unknown>)[name]),
    row,
  );
  if (value == null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** CSV as RFC 4180 has it, character by character; every line has to end with CR LF. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (found === null) throw new Error(`This is no CSV: ${text}`);
    row.push(found[1] === undefined ? found[2]! : found[1].replaceAll('""', '"'));
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
