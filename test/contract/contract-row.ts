import type { ErrorCode } from '#domain/errors.js';
import type { ContractAnswer } from './contract-answer.js';
import type { ContractServices } from './contract-services.js';

/** One answer of one endpoint, and a way to get it. */
export interface ContractRow {
  /** As the table of endpoints has it: `GET /problems/:code`; null for any other address. */
  readonly endpoint: string | null;
  readonly status: number;
  /** Null where the answer is no problem. */
  readonly code: ErrorCode | null;
  /** What the client does to get it. */
  readonly when: string;
  readonly ask: (services: ContractServices) => Promise<ContractAnswer>;
}

/** The title of a row in the report of the tests. */
export function titleOf({ endpoint, status, code, when }: ContractRow): string {
  return `${endpoint ?? 'any address'} ${status}${code === null ? '' : ` ${code}`}: ${when}`;
}
