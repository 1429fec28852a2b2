import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { newCredential } from '#domain/credentials/credential.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { openDatabase } from '#postgres/database.js';
import { eventually } from '../support/eventually.js';
import { registerVendor, specEnvironment } from '../support/service.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';
import { ApiProcess } from './api-process.js';
import { newEvent } from '../support/tracking-events.js';
import { RawConnection } from './raw-connection.js';

const memory_bytes_max = 512 * 1024 * 1024;
const mebibyte = 1024 * 1024;

let stores: SpecStores;
let api: ApiProcess;
let key: string;

beforeAll(async () => {
  stores = await createSpecStores();
  const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  key = (await registerVendor(new DirectoryStore(database))).organizationKey;
  await database.destroy();
  api = await ApiProcess.start({
    ...specEnvironment(stores),
    HEADERS_WAIT_MS_MAX: '4000',
    REQUEST_WAIT_MS_MAX: '20000',
  });
});
afterAll(async () => {
  await api.stop();
  await stores.drop();
});

const post = async (body: string | Uint8Array, headers: Record<string, string> = {}, path = '') => {
  const answer = await fetch(`${api.baseUrl}/api/usage/track${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

/** The header of a request whose body is told apart by `length`. */
const head = (length: string) =>
  `POST /api/usage/track HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\n${length}\r\n\r\n`;

async function heldBytes(): Promise<number> {
  const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text();
  return Number(/^uptake_request_body_bytes (\d+)$/m.exec(metrics)?.[1]);
}

/** Somebody else is served, and the memory of the process stayed within its bound. */
async function expectUnharmed(): Promise<void> {
  expect(await post(JSON.stringify(newEvent()))).toMatchObject({ status: 200 });
  const peak = await api.peakBytes();
  process.stdout.write(`peak memory of the API: ${Math.round(peak / mebibyte)} MiB\n`);
  expect(peak).toBeLessThan(memory_bytes_max);
}
afterEach(expectUnharmed);

describe('a body that is larger inside', () => {
  it('is refused with 413: a gzip bomb of 1 GiB, many at a time', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * mebibyte, 0x20), { level: 9 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(bomb, { 'content-encoding': 'gzip' })),
    );
    for (const { status } of answers) expect([413, 503]).toContain(status);
    expect(answers.some(({ status }) => status === 413)).toBe(true);
  });
});

describe('a body of 1 GB', () => {
  it('is refused before it is sent when it is announced', async () => {
    const connection = await RawConnection.open(api.baseUrl);
    await connection.send(head('Content-Length: 1073741824'));
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 413 [^]*"code":"body_too_large"/);
  });

  it('is told so instead of "continue" when it asks', async () => {
    const connection = await RawConnection.open(api.baseUrl);
    await connection.send(head('Content-Length: 1073741824\r\nExpect: 100-continue'));
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['when it is announced', 'Content-Length: 1073741824'],
    ['when it asks first', 'Content-Length: 1000\r\nExpect: 100-continue'],
    ['when it is streamed', 'Transfer-Encoding: chunked'],
  ])('is not read at all without a key that exists, %s', async (_when, length) => {
    const connection = await RawConnection.open(api.baseUrl);
    await connection.send(head(length).replace(key, newCredential('trackingKey')));
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 401 [^]*"code":"invalid_token"/);
  });

  it('is asked for when its sender waits to be asked', async () => {
    const connection = await RawConnection.open(api.baseUrl);
    const body = JSON.stringify(newEvent());
    await connection.send(
      head(`Connection: close\r\nContent-Length: ${body.length}\r\nExpect: 100-continue`),
    );
    await eventually(
      async () => connection.answered,
      (text) => text.startsWith('HTTP/1.1 100 '),
    );
    await connection.send(body);
    expect(await connection.untilClosed()).toMatch(/HTTP\/1\.1 200 /);
  });

  it('is cut off when it is streamed, long before its end', async () => {
    const connection = await RawConnection.open(api.baseUrl);
    await connection.send(head('Transfer-Encoding: chunked'));
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(mebibyte, 0x20),
      Buffer.from('\r\n'),
    ]);
    let sent = 0;
    while (sent < 1024 && !connection.answered.includes('413')) {
      if (!(await connection.send(chunk))) break;
      sent += 1;
      await pause(1);
    }
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(1024);
  });
});

describe('a body that is hard to read', () => {
  it.each([
    ['100 000 brackets', '['.repeat(100_000) + ']'.repeat(100_000), 'invalid_body'],
    [
      '100 000 objects in each other',
      withMetadata(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      'event_too_deep',
    ],
    [
      'a million properties',
      withMetadata(`{${Array.from({ length: 1_000_000 }, (_, at) => `"p${at}":0`).join(',')}}`),
      'too_many_properties',
    ],
    ['ten million empty arrays', `[${'[],'.repeat(6_900_000)}[]]`, 'too_many_properties'],
    ['600 properties', JSON.stringify(manyProperties(600)), 'too_many_properties'],
    ['bytes that are no UTF-8', Buffer.from('{"source":"\xff\xfe"}', 'latin1'), 'invalid_json'],
  ])('is refused with 400: %s', async (_name, body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code } });
  });

  it.each(['', '/dry-run'])(
    'is refused as fast where it breaks the contract besides: %s',
    async (path) => {
      const broken = (metadata: string) => `{"event_name":5,"metadata":${metadata}}`;
      const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      const wide = `{${Array.from({ length: 400_000 }, (_, at) => `"p${at}":0`).join(',')}}`;
      for (const metadata of [deep, wide]) {
        expect(await post(broken(metadata), {}, path)).toMatchObject({
          status: 400,
          body: { code: 'invalid_field', errors: [{ pointer: '/event_name' }] },
        });
      }
    },
  );

  it('is refused as lines, counted as a whole', async () => {
    const line = `{"metadata":{"a":[${'0,'.repeat(200_000)}0]}}`;
    const body = Array.from({ length: 40 }, () => line).join('\n');
    const answer = await post(body, { 'content-type': 'application/x-ndjson' }, '/batch');
    expect(answer).toMatchObject({ status: 400, body: { code: 'too_many_properties' } });
  });

  it('is refused in a batch, too', async () => {
    const deep = `{"events":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`;
    expect((await post(deep, {}, '/batch')).status).toBe(400);
    const wide = `{"events":[${'{},'.repeat(6_900_000)}{}]}`;
    expect(await post(wide, {}, '/batch')).toMatchObject({
      status: 400,
      body: { code: 'too_many_properties' },
    });
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'changes nothing but itself: the property %s',
    async (name) => {
      const event = JSON.stringify(newEvent()).slice(0, -1);
      const body = `${event},"${name}":{"polluted":true},"metadata":{"${name}":{"polluted":true}}}`;
      expect((await post(body)).status).toBeLessThan(500);
      const { body: answer } = await post(JSON.stringify(newEvent()));
      expect(answer).not.toHaveProperty('polluted');
      expect(answer['tracked']).toBe(true);
    },
  );
});

describe('a client that takes its time', () => {
  it('is cut off when its header does not come, while others are served', async () => {
    const slow = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const connection = await RawConnection.open(api.baseUrl);
        await connection.send('POST /api/usage/track HTTP/1.1\r\nHost: api\r\nX-Slow: ');
        return connection;
      }),
    );
    expect(await post(JSON.stringify(newEvent()))).toMatchObject({ status: 200 });
    for (const connection of slow) {
      expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 408 [^]*"request_timeout"/);
    }
  });

  it('is told when its header is too large or is no HTTP', async () => {
    const large = await RawConnection.open(api.baseUrl);
    await large.send(`GET / HTTP/1.1\r\nHost: api\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(await large.untilClosed()).toMatch(/^HTTP\/1\.1 431 [^]*"headers_too_large"/);
    const nonsense = await RawConnection.open(api.baseUrl);
    await nonsense.send('this is not HTTP\r\n\r\n');
    expect(await nonsense.untilClosed()).toMatch(/^HTTP\/1\.1 400 [^]*"malformed_request"/);
  });

  it.each(['/api/v1/adoption', '/api/usage/track', '/nowhere'])(
    'is told when it names no host, or more than one: %s',
    async (path) => {
      // Once more, for the second answer to a read may come from memory.
      for (const hosts of ['', 'Host: a\r\nhost: b\r\n', '', 'Host: a\r\nHost: a\r\n']) {
        const connection = await RawConnection.open(api.baseUrl);
        await connection.send(`GET ${path} HTTP/1.1\r\n${hosts}\r\n`);
        expect(await connection.untilClosed()).toMatch(
          /^HTTP\/1\.1 400 [^]*x-request-id: [^]*"code":"malformed_request"/,
        );
        await fetch(api.baseUrl + path);
      }
    },
  );

  it('leaves nothing behind when it leaves in the middle of a body', async () => {
    for (let left = 0; left < 20; left += 1) {
      const connection = await RawConnection.open(api.baseUrl);
      await connection.send(
        'POST /api/usage/track HTTP/1.1\r\nHost: api\r\nContent-Type: application/json\r\n' +
          'Content-Length: 1000\r\n\r\n{"event_name":',
      );
      connection.close();
    }
    await eventually(heldBytes, (bytes) => bytes === 0);
  });
});

describe('many large bodies at once', () => {
  it.each(['', '/batch'])('are taken within the bound of memory, or refused: %s', async (path) => {
    const body = Buffer.alloc(19 * mebibyte, 0x20);
    // Who is refused and goes on sending is cut off.
    const orCut = () => post(body, {}, path).catch(() => ({ status: 'cut' }));
    const answers = await Promise.all(Array.from({ length: 16 }, orCut));
    for (const { status } of answers) expect([400, 503, 'cut']).toContain(status);
    expect(answers.some(({ status }) => status === 400)).toBe(true);
    await eventually(heldBytes, (bytes) => bytes === 0);
  });

  it('do not keep small ones out while they are sent slowly', async () => {
    const slow = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const connection = await RawConnection.open(api.baseUrl);
        await connection.send(head(`Content-Length: ${19 * mebibyte}`));
        await connection.send(Buffer.alloc(18 * mebibyte, 0x20));
        return connection;
      }),
    );
    expect(await heldBytes()).toBeGreaterThan(0);
    expect(await post(JSON.stringify(newEvent()))).toMatchObject({ status: 200 });
    for (const connection of slow) connection.close();
    await eventually(heldBytes, (bytes) => bytes === 0);
  });
});

/** A valid event with that JSON text for its metadata. */
function withMetadata(text: string): string {
  return `${JSON.stringify(newEvent()).slice(0, -1)},"metadata":${text}}`;
}

function manyProperties(count: number): object {
  return newEvent({
    metadata: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at])),
  });
}
