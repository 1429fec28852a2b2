import { DatabaseError } from 'pg';
import { LogUnavailableError } from '../event-log.js';

/** Node's and pg's names for a connection that could not be made or was lost. */
const fault_codes = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;
const fault_messages = /timeout|terminated|not queryable/i;

/** Runs a question to the database; a failure of the database becomes `LogUnavailableError`. */
export async function toPortErrors<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (!isDatabaseFault(error)) throw error;
    throw new LogUnavailableError(error.message, false, error);
  }
}

function isDatabaseFault(error: unknown): error is Error {
  if (error instanceof DatabaseError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return fault_codes.test(code) || fault_messages.test(error.message);
}
