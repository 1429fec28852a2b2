import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import type { Logger } from '#runtime/logger.js';
import { ProblemFilter } from './problem.filter.js';

export interface ServerOptions {
  readonly bodyBytesMax: number;
  readonly baseUrl: () => string;
  readonly logger: Logger;
}

const header_wait_ms_max = 15_000;
const request_ms_max = 60_000;
const request_id_pattern = /^[A-Za-z0-9._-]{8,128}$/;

type RawRequest = Pick<FastifyRequest['raw'], 'headers'>;

/** A Nest application on Fastify that hands request bodies over as they were received. */
export async function createServer(
  module: DynamicModule,
  options: ServerOptions,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: options.bodyBytesMax,
    requestTimeout: request_ms_max,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: header_wait_ms_max },
    genReqId: (request: RawRequest) => requestIdOf(request.headers['x-request-id']),
    return503OnClosing: true,
  });
  const fastify = adapter.getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id);
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      throw new ProblemError(
        'unsupported_media_type',
        `Content-Encoding ${encoding} is not taken.`,
      );
    }
  });
  const filter = new ProblemFilter(options.baseUrl, options.logger);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  return app;
}

function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && request_id_pattern.test(sent) ? sent : uuidv7();
}
