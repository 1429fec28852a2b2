import { error_catalogue, ProblemError, statusOf, type ErrorCode } from '#domain/errors.js';
import { body_encodings } from './receive-body.js';

/** An error answer: `application/problem+json` (RFC 9457) and the headers that go with it. */
export interface ProblemAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

interface RequestFacts {
  readonly baseUrl: string;
  /** Path of the request without its query, which may hold what should not be repeated. */
  readonly path: string;
  readonly requestId: string;
}

/** The answer to an error of the catalogue. */
export function toProblemAnswer(error: ProblemError, request: RequestFacts): ProblemAnswer {
  const { title, kind } = error_catalogue[error.code];
  const status = statusOf(error.code);
  return {
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      ...(kind === 'unauthenticated' && { 'www-authenticate': challenge(error.code) }),
      ...(error.code === 'unsupported_encoding' && { 'accept-encoding': body_encodings }),
      ...(error.retryAfterSeconds !== null && { 'retry-after': String(error.retryAfterSeconds) }),
    },
    body: {
      type: `${request.baseUrl}/problems/${error.code}`,
      title,
      status,
      detail: error.detail,
      instance: request.path,
      code: error.code,
      requestId: request.requestId,
      errors: error.errors,
      ...error.members,
    },
  };
}

function challenge(code: ErrorCode): string {
  return code === 'missing_token' ? 'Bearer' : 'Bearer error="invalid_token"';
}

interface FrameworkError {
  readonly statusCode?: number;
  readonly status?: number;
}

/** Errors of Fastify and Nest in the words of the catalogue; anything unknown is our own fault. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { statusCode, status } = error as FrameworkError;
  switch (statusCode ?? status) {
    case 400:
      return new ProblemError('invalid_body', 'The request could not be read.');
    case 404:
      return new ProblemError('not_found', 'There is nothing at this address.');
    case 413:
      return new ProblemError('body_too_large', 'The body is larger than this address takes.');
    case 415:
      return new ProblemError('unsupported_media_type', 'Send the body as application/json.');
    case 503:
      return new ProblemError('not_ready', 'The service is stopping.', { retryAfterSeconds: 1 });
    case undefined:
    default:
      return new ProblemError('internal_error', 'The failure was logged under the request id.', {
        cause: error,
      });
  }
}
