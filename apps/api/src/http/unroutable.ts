import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import { toProblemAnswer } from './problem.js';

/**
 * Answers an address that the router cannot decode, such as `/problems/%E0%A4%A`. It belongs to no
 * route, so neither hooks nor filters see it.
 */
export function answerUnroutable(baseUrl: () => string) {
  return (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = new ProblemError('malformed_request', 'The address cannot be decoded.');
    const { status, headers, body } = toProblemAnswer(problem, {
      baseUrl: baseUrl(),
      path: request.url.split('?', 1)[0]!,
      requestId: request.id,
    });
    void reply
      .status(status)
      .headers({ ...headers, 'x-request-id': request.id })
      .send(JSON.stringify(body));
  };
}
