import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ProblemError } from '#domain/errors.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { toProblemAnswer } from './problem.js';

/** A connection whose next request never became one. */
type BrokenSocket = Socket & { readonly _httpMessage?: ServerResponse };

/**
 * Answers what Node's parser refused or gave up waiting for, and hangs up. No request exists yet,
 * so the answer is written by hand.
 */
export function answerClientError(baseUrl: () => string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    const answering = (socket as BrokenSocket)._httpMessage?.headersSent === true;
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || answering) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = toProblemAnswer(toProblem(error.code), {
      baseUrl: baseUrl(),
      path: '/',
      requestId: uuidv7(),
    });
    const text = JSON.stringify(body);
    const lines = Object.entries({
      ...headers,
      'x-request-id': body['requestId'],
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\n${lines.join('')}\r\n${text}`);
  };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function toProblem(code: string | undefined): ProblemError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemError('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('headers_too_large', 'The header of the request is too large.');
    case undefined:
    default:
      return new ProblemError('malformed_request', 'The request is not valid HTTP.');
  }
}
