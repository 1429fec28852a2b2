import type { SpecService } from '../../support/service.js';
import { ask, type ContractAnswer } from '../contract-answer.js';

/** Posts JSON, or text as it is, with the organization's key unless the headers say otherwise. */
export function send(
  service: SpecService,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  baseUrl = service.baseUrl,
): Promise<ContractAnswer> {
  return ask(baseUrl, path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${service.organizationKey}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
