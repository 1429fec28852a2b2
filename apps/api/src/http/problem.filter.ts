import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { statusOf } from '#domain/errors.js';
import type { Logger } from '#runtime/logger.js';
import { toProblemAnswer, toProblemError } from './problem.js';
import { traceparentOf } from './trace-context.js';

/** Turns whatever was thrown into `application/problem+json`; faults of ours are logged. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly baseUrl: () => string,
    private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = toProblemError(thrown);
    request.problemCode = error.code;
    if (statusOf(error.code) >= 500) {
      const context = { requestId: request.id, traceparent: traceparentOf(request.headers) };
      this.logger.error({ err: error.cause ?? error, ...context }, error.code);
    }
    const path = request.url.split('?', 1)[0]!;
    const { status, headers, body } = toProblemAnswer(error, {
      baseUrl: this.baseUrl(),
      path,
      requestId: request.id,
    });
    void reply.status(status).headers(headers).send(JSON.stringify(body));
  }
}
