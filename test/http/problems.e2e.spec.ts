import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { error_remedies } from '#domain/error-remedies.js';
import { error_catalogue, statusOf, type ErrorCode } from '#domain/errors.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(() => api.stop());

const read = async (path: string, accept?: string) => {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const answer = await fetch(api.baseUrl + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('GET /problems/{code}', () => {
  it.each(Object.keys(error_catalogue) as ErrorCode[])(
    'explains %s: its status, its meaning and what to do',
    async (code) => {
      const { status, text, headers } = await read(`/problems/${code}`, 'text/markdown');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      for (const part of [code, `Status: ${statusOf(code)}`, error_catalogue[code].title]) {
        expect(text).toContain(part);
      }
      expect(text).toContain(error_remedies[code]);
    },
  );

  it('is a page for a browser', async () => {
    const { headers, text } = await read('/problems/body_too_large', 'text/html,*/*;q=0.8');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('vary')).toContain('Accept');
    expect(text).toMatch(/^<!doctype html>[^]*<h1>body_too_large<\/h1>/);
  });

  it('is where the type of a problem leads', async () => {
    const problem = (await (await fetch(`${api.baseUrl}/nothing`)).json()) as { type: string };
    expect(problem.type).toBe(`${api.baseUrl}/problems/not_found`);
    expect((await fetch(problem.type)).status).toBe(200);
  });

  it.each(['unknown_code', 'constructor', '__proto__'])('answers 404 to %s', async (code) => {
    const { status, text } = await read(`/problems/${code}`);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found' });
  });
});

describe('GET /problems', () => {
  it('lists every code', async () => {
    const { text } = await read('/problems');
    for (const code of Object.keys(error_catalogue)) expect(text).toContain(`/problems/${code}`);
  });
});

describe('an address that exists', () => {
  it('answers 405 to another method and says which it takes', async () => {
    const answer = await fetch(`${api.baseUrl}/api/usage/track`, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

describe('an address that does not exist', () => {
  it.each([
    ['with a slash too many', '/healthz/'],
    ['with a slash too many', '/problems/not_found/'],
    ['that takes no GET either, with a slash too many', '/api/usage/track/'],
    ['with another sign for a dot', '/openapiXjson'],
    ['with another sign for a dot', '/llms_txt'],
  ])('%s, answers 404 without Allow: %s', async (_which, path) => {
    const answer = await fetch(api.baseUrl + path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('allow')).toBeNull();
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });
});
