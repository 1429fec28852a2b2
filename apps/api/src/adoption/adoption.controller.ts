import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCacheable } from '../http/cacheable-answer.js';
import { toRenderedPage } from '../pages/rendered-page.js';
import { AdoptionQueryReader } from './adoption-query-reader.js';
import { methodologyPage } from './methodology.js';
import { PublicationDefaults } from './publication-defaults.js';
import { RankAdoption } from './rank-adoption.query.js';

/** The public adoption reads, specification 4.4 and 4.5. */
@Controller()
export class AdoptionController {
  constructor(
    private readonly bus: QueryBus,
    private readonly reader: AdoptionQueryReader,
    private readonly defaults: PublicationDefaults,
  ) {}

  @Get(['api/v1/adoption', 'api/v1/agent-rank'])
  async rank(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filter = this.reader.read(request.url, request.query);
    sendCacheable(request, reply, await this.bus.execute(new RankAdoption(filter)));
  }

  /** How rows come about, in words. */
  @Get('methodology')
  methodology(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendCacheable(request, reply, toRenderedPage(methodologyPage(this.defaults.policy)));
  }
}
