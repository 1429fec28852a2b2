import { Controller, Get, Header, Param, Redirect, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import { sendPage } from '../http/cacheable-answer.js';
import { DocsAssets, docs_page, docs_policy } from './docs-assets.js';
import { ServiceDescription } from './service-description.js';

const cacheable = 'public, max-age=300';

/** What the service says of itself: to readers, to programs, to agents. */
@Controller()
export class DocumentationController {
  constructor(
    private readonly description: ServiceDescription,
    private readonly assets: DocsAssets,
  ) {}

  @Get()
  @Redirect('/docs')
  root(): void {}

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', docs_policy)
  @Header('cache-control', cacheable)
  docs(): string {
    return docs_page;
  }

  @Get('docs/:asset')
  asset(
    @Param('asset') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const asset = this.assets.find(name);
    if (asset === null) throw new ProblemError('not_found', 'The page has no such part.');
    const { body, etag, type } = asset;
    void reply.header('cache-control', cacheable);
    sendPage(request, reply, { body, etag, fields: { 'content-type': type } });
  }

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', cacheable)
  openApi(): Buffer {
    return this.description.openApi;
  }

  @Get('llms.txt')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', cacheable)
  llms(): string {
    return this.description.llms;
  }
}
