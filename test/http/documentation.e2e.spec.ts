import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { error_catalogue, type ErrorCode } from '#domain/errors.js';
import { api_endpoints } from '../../apps/api/src/documentation/endpoints/endpoints.js';
import { newEvent } from '../support/tracking-events.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  readonly components: { readonly schemas: Record<string, object> };
}

interface Lock {
  readonly packages: Record<string, object>;
}

interface Documented {
  readonly content?: Record<string, { readonly schema: object }>;
}

let api: ApiUnderTest;
let document: Document;
beforeAll(async () => {
  api = await startApiUnderTest();
  document = (await (await fetch(`${api.baseUrl}/openapi.json`)).json()) as Document;
});
afterAll(() => api.stop());

/** What the document says of the body of an answer, ready to validate one. */
function validatorOf(path: string, method: string, status: number) {
  const answer = document.paths[path]?.[method]?.responses[status];
  const [content] = Object.values(answer?.content ?? {});
  expect(content).toBeDefined();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.compile({ ...content!.schema, components: document.components });
}

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document of this version of the interface', async () => {
    expect(document.info.version).toBe('2026-05-22');
    expect(document.openapi).toMatch(/^3\.1\./);
    const verdict = await new Validator().validate(document as object as Record<string, unknown>);
    expect(verdict.errors ?? []).toEqual([]);
    expect(verdict.valid).toBe(true);
  });

  it('describes every address that is served', async () => {
    for (const { method, path } of api_endpoints) {
      const address = path.replace(/:\w+/g, 'x');
      const answer = await fetch(api.baseUrl + address, { method, redirect: 'manual' });
      const text = await answer.text();
      expect([path, text]).not.toEqual([
        path,
        expect.stringContaining('"detail":"There is nothing at'),
      ]);
    }
  });

  it.each([
    ['/api/v1/adoption', 'get', 200, undefined],
    ['/readyz', 'get', 200, undefined],
    ['/api/usage/track', 'post', 200, newEvent()],
    ['/api/usage/track', 'post', 400, { event_name: 'nonsense name' }],
    ['/api/usage/track/batch', 'post', 200, { events: [newEvent(), newEvent()] }],
    ['/api/usage/track/dry-run', 'post', 200, newEvent()],
  ])('describes the answer of %s %s %i as it is', async (path, method, status, body) => {
    const answer = await fetch(api.baseUrl + path, {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${api.trackingKey}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(status);
    const validate = validatorOf(path, method, status);
    validate(await answer.json());
    expect(validate.errors ?? []).toEqual([]);
  });

  it('names at least one endpoint for every code that an endpoint can answer', () => {
    const named = new Set(api_endpoints.flatMap(({ problems }) => problems));
    // Answered before a request reaches an endpoint, or where there is none.
    const elsewhere = ['malformed_request', 'headers_too_large', 'method_not_allowed'];
    const missing = (Object.keys(error_catalogue) as ErrorCode[]).filter(
      (code) => !named.has(code) && !elsewhere.includes(code),
    );
    expect(missing).toEqual([]);
  });
});

describe('GET /docs', () => {
  it('is reached from the root and loads nothing from another host', async () => {
    const root = await fetch(`${api.baseUrl}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);
    const page = await fetch(`${api.baseUrl}/docs`);
    const text = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(text).not.toMatch(/https?:\/\//);
    const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      const asset = await fetch(api.baseUrl + part);
      expect([part, asset.status]).toEqual([part, 200]);
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(0);
      const etag = asset.headers.get('etag')!;
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await fetch(api.baseUrl + part, { headers: { 'if-none-match': held } });
        expect([held, again.status]).toEqual([held, 304]);
      }
    }
  });

  it('is installed without the package that reports installations', () => {
    const lock = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
    expect((JSON.parse(lock) as Lock).packages['node_modules/@scarf/scarf']).toMatchObject({
      name: 'reflect-metadata',
    });
  });

  it.each(['package.json', '..%2Fpackage.json', 'constructor'])('has no part %s', async (name) => {
    expect((await fetch(`${api.baseUrl}/docs/${name}`)).status).toBe(404);
  });
});

describe('GET /llms.txt', () => {
  it('tells an agent the endpoints, the way in, the limits and the error codes', async () => {
    const answer = await fetch(`${api.baseUrl}/llms.txt`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await answer.text();
    for (const { method, path } of api_endpoints) expect(text).toContain(`${method} ${path}`);
    for (const code of Object.keys(error_catalogue)) expect(text).toContain(`- ${code} (`);
    expect(text).toContain('SERVICE_ADOPTION_KEY');
    expect(text).toContain(api.baseUrl);
  });
});
