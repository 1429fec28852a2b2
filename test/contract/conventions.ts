import { expect } from '@jest/globals';
import type { ErrorCode } from '#domain/errors.js';
import type { Endpoint } from '../../apps/api/src/http/endpoint.js';
import type { ContractAnswer } from './contract-answer.js';

const limit_headers = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const whole_seconds = /^[1-9]\d*$/;

/** Expects what every answer has, whoever gave it. */
export function expectRequestId({ headers }: ContractAnswer): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
}

/** Expects a problem of RFC 9457 with the header fields that its status asks for. */
export function expectProblem(answer: ContractAnswer, status: number, code: ErrorCode): void {
  const { headers, text, baseUrl } = answer;
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  const problem = JSON.parse(text) as { readonly title: string; readonly detail: string };
  expect(problem).toMatchObject({
    type: `${baseUrl}/problems/${code}`,
    status,
    code,
    instance: expect.stringMatching(/^\/[^?]*$/) as unknown,
    requestId: headers.get('x-request-id'),
    errors: expect.any(Array) as unknown,
  });
  expect(problem.title.length * problem.detail.length).toBeGreaterThan(0);
  const asked = headers.get('www-authenticate');
  if (status === 401) expect(asked).toMatch(/^Bearer( error="invalid_token")?$/);
  else expect(asked).toBeNull();
  const wait = headers.get('retry-after');
  if (status === 429 || status === 503) expect(wait).toMatch(whole_seconds);
  else expect(wait).toBeNull();
}

/** Expects the header fields that the table of endpoints promises for every answer. */
export function expectConventions(endpoint: Endpoint, answer: ContractAnswer): void {
  const { headers, status } = answer;
  // Node gives up on a request before anybody knows which endpoint it is for.
  if (status === 408) return;
  const limits = limit_headers.filter((name) => headers.has(name));
  expect(limits).toEqual(endpoint.policy === null ? [] : limit_headers);
  const origin = headers.get('access-control-allow-origin');
  expect(origin).toBe(endpoint.crossOrigin ? '*' : null);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  if (endpoint.access !== 'public') expect(headers.get('cache-control')).toBe('no-store');
  else if (endpoint.policy === 'public-read' && status < 400) {
    const cached = 'public, max-age=60, stale-while-revalidate=300';
    expect(headers.get('cache-control')).toBe(cached);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
  }
}
