import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function logged(error: Error): Record<string, unknown> {
  let line = '';
  createLogger('spec', 'info', { write: (text) => (line = text) }).error({ err: error }, 'failed');
  return JSON.parse(line) as Record<string, unknown>;
}

/** As a database driver throws it: the values of the row and of the query are members. */
function databaseError(message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), {
    code: '23505',
    parameters: ['ada@private.example', 'a-secret'],
    detail: 'Key (email)=(ada@private.example) already exists.',
  });
}

describe('what the log says of an error', () => {
  it('is its type, message, code, stack and causes', () => {
    const line = logged(databaseError('duplicate key', new Error('first')));
    expect(line['err']).toMatchObject({
      type: 'Error',
      message: 'duplicate key',
      code: '23505',
      cause: { message: 'first' },
    });
  });

  it('is never a parameter of a query or a value of a row', () => {
    const line = logged(new Error('outer', { cause: databaseError('inner') }));
    expect(JSON.stringify(line)).not.toMatch(/ada@private|a-secret/);
  });
});
