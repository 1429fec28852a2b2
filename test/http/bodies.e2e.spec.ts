import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { newEvent } from '../support/tracking-events.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

const bytes_max = 200_000;

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({ BODY_BYTES_MAX: String(bytes_max) });
});
afterAll(() => api.stop());

async function send(
  body: Uint8Array | string,
  headers: Record<string, string> = {},
  path = '/api/usage/track',
) {
  const answer = await fetch(api.baseUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.trackingKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
  const read = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body: read };
}

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const encodings = Object.keys(encoders) as (keyof typeof encoders)[];

describe('a compressed body', () => {
  it.each(encodings)('is taken in %s', async (encoding) => {
    const body = encoders[encoding](JSON.stringify(newEvent()));
    const answer = await send(body, { 'content-encoding': encoding });
    expect(answer).toMatchObject({ status: 200, body: { tracked: true, duplicate: false } });
  });

  it.each(encodings)('says the same as the plain one in %s', async (encoding) => {
    const text = JSON.stringify(newEvent());
    await send(text);
    const again = await send(encoders[encoding](text), { 'content-encoding': encoding });
    expect(again.body).toMatchObject({ duplicate: true });
  });

  it.each(encodings)('is refused with 413 when it unfolds over the limit: %s', async (encoding) => {
    const bomb = encoders[encoding](Buffer.alloc(bytes_max * 100, 0x20));
    expect(bomb.length).toBeLessThan(bytes_max);
    const answer = await send(bomb, { 'content-encoding': encoding });
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', maximum: bytes_max },
    });
  });

  it.each(encodings)('is refused with 400 when it is damaged: %s', async (encoding) => {
    const whole = encoders[encoding](JSON.stringify(newEvent({ source: 'x'.repeat(200) })));
    for (const broken of [whole.subarray(0, -9), Buffer.from('not compressed at all')]) {
      const answer = await send(broken, { 'content-encoding': encoding });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
    }
  });

  it.each(['zstd', 'compress', 'gzip, br', 'constructor'])(
    'is refused with 415 in %j, and told what is taken',
    async (encoding) => {
      const answer = await send('{}', { 'content-encoding': encoding });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_encoding' } });
      expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br');
    },
  );
});

describe('the type of a body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'is refused as %s',
    async (type) => {
      const answer = await send('{}', { 'content-type': type });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
      // Another coding would not help (RFC 9110, 12.5.3).
      expect(answer.headers.has('accept-encoding')).toBe(false);
    },
  );

  it('may name UTF-8', async () => {
    const type = 'application/json; charset=UTF-8';
    const answer = await send(JSON.stringify(newEvent()), { 'content-type': type });
    expect(answer.status).toBe(200);
  });

  it('may be NDJSON for a batch, and only there', async () => {
    const lines = `${JSON.stringify(newEvent())}\n${JSON.stringify(newEvent())}\n`;
    const type = { 'content-type': 'application/x-ndjson' };
    const batch = await send(lines, type, '/api/usage/track/batch');
    expect(batch).toMatchObject({ status: 200, body: { stored: 2 } });
    expect((await send(lines, type)).status).toBe(415);
  });
});

describe('the size of a body', () => {
  it('is refused over the limit, announced or not', async () => {
    const large = Buffer.alloc(bytes_max + 1, 0x20);
    expect((await send(large)).status).toBe(413);
    const pieces = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 3; sent += 1) {
          controller.enqueue(new Uint8Array(bytes_max / 2).fill(0x20));
        }
        controller.close();
      },
    });
    const answer = await fetch(`${api.baseUrl}/api/usage/track`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.trackingKey}`,
        'content-type': 'application/json',
      },
      body: pieces,
      duplex: 'half',
    });
    expect(answer.status).toBe(413);
  });
});
