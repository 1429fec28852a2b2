import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '#domain/errors.js';
import { api_endpoints } from '../../apps/api/src/documentation/endpoints/endpoints.js';
import { titleOf, type ContractRow } from './contract-row.js';
import { startContractServices, type ContractServices } from './contract-services.js';
import { expectConventions, expectProblem, expectRequestId } from './conventions.js';
import { DocumentedAnswers, toDocumented } from './documented-answers.js';
import { reading_rows } from './rows/reading-rows.js';
import { other_rows, service_rows } from './rows/service-rows.js';
import { tracking_rows } from './rows/tracking-rows.js';

const rows: readonly ContractRow[] = [...tracking_rows, ...reading_rows, ...service_rows];

/** What no client can bring about, and why. */
const out_of_reach: Readonly<Partial<Record<ErrorCode, string>>> = {
  internal_error: 'It stands for a defect of the service, and none is known.',
};

/** The status tables of the specification, with what was agreed where it is silent. */
const specified: Readonly<Record<string, readonly number[]>> = {
  'POST /api/usage/track': [200, 202, 400, 401, 409, 429, 503],
  'POST /api/usage/track/batch': [200, 202, 207, 400, 401, 409, 429, 503],
  'POST /api/usage/track/dry-run': [200, 202, 400, 401, 429],
  'GET /api/v1/adoption': [200, 304, 400, 406, 410, 429],
  'GET /api/v1/agent-rank': [200, 304, 400, 406, 410, 429],
};

let services: ContractServices;
let documented: DocumentedAnswers;
beforeAll(async () => {
  services = await startContractServices();
  documented = await DocumentedAnswers.read(services.plain.baseUrl);
}, 90_000);
afterAll(() => services.stop());

const titled = (table: readonly ContractRow[]) => table.map((row) => [titleOf(row), row] as const);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('an endpoint', () => {
  it.each(titled(rows))('%s', async (_title, { endpoint, status, code, ask }) => {
    const answer = await ask(services);
    expect([answer.status, codeOf(answer.text)]).toEqual([status, code]);
    expectRequestId(answer);
    if (code !== null) expectProblem(answer, status, code);
    expectConventions(
      api_endpoints.find((one) => nameOf(one) === endpoint)!,
      answer,
    );
    documented.expectToDescribe(endpoint!, answer);
  });
});

describe('any other request', () => {
  it.each(titled(other_rows))('%s', async (_title, { status, code, ask }) => {
    const answer = await ask(services);
    expect(answer.status).toBe(status);
    expectRequestId(answer);
    expectProblem(answer, status, code!);
  });
});

describe('the table of this test', () => {
  it('has a row for every status that /openapi.json documents', () => {
    const shown = rows.map(({ endpoint, status }) => `${toDocumented(endpoint!)} ${status}`);
    const missing = documented.pairs().filter((pair) => !shown.includes(pair));
    expect(missing.filter((pair) => !pair.endsWith(' 500'))).toEqual([]);
  });

  it('has a row for every status that the specification names', () => {
    const shown = rows.map(({ endpoint, status }) => `${endpoint} ${status}`);
    const named = Object.entries(specified).flatMap(([endpoint, statuses]) =>
      statuses.map((status) => `${endpoint} ${status}`),
    );
    expect(named.filter((pair) => !shown.includes(pair))).toEqual([]);
  });

  it('has a row for every code of every endpoint, or says why none can be', () => {
    const shown = new Set(rows.map(({ endpoint, code }) => `${endpoint} ${code}`));
    const missing = api_endpoints.flatMap((endpoint) =>
      endpoint.problems
        .filter((code) => out_of_reach[code] === undefined)
        .map((code) => `${nameOf(endpoint)} ${code}`)
        .filter((pair) => !shown.has(pair)),
    );
    expect(missing).toEqual([]);
  });

  it('shows no code that its endpoint does not document', () => {
    const named = new Set(
      api_endpoints.flatMap((one) => one.problems.map((code) => `${nameOf(one)} ${code}`)),
    );
    const shown = rows.flatMap(({ endpoint, code }) =>
      code === null ? [] : `${endpoint} ${code}`,
    );
    expect(shown.filter((pair) => !named.has(pair))).toEqual([]);
  });
});

function codeOf(text: string): unknown {
  if (!text.startsWith('{')) return null;
  return (JSON.parse(text) as { code?: unknown }).code ?? null;
}
