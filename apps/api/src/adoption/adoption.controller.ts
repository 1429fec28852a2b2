import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAcceptedType } from '../http/accepted-type.js';
import { sendCacheable } from '../http/cacheable-answer.js';
import { AdoptionQueryReader } from './adoption-query-reader.js';
import { methodology_types, MethodologyPages } from './methodology-pages.js';
import { RankAdoption } from './rank-adoption.query.js';
import { ranking_types } from './ranking-types.js';

/** The public adoption reads, specification 4.4 and 4.5. */
@Controller()
export class AdoptionController {
  constructor(
    private readonly bus: QueryBus,
    private readonly reader: AdoptionQueryReader,
    private readonly explanations: MethodologyPages,
  ) {}

  @Get(['api/v1/adoption', 'api/v1/agent-rank'])
  async rank(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filter = this.reader.read(request.url, request.query);
    const type = requireAcceptedType(request.headers.accept, ranking_types);
    sendCacheable(request, reply, await this.bus.execute(new RankAdoption(filter, type)));
  }

  /** How rows come about, in words. */
  @Get('methodology')
  methodology(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const type = requireAcceptedType(request.headers.accept, methodology_types);
    sendCacheable(request, reply, this.explanations.page(type));
  }

  @Get('methodology.md')
  methodologyText(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendCacheable(request, reply, this.explanations.page('text/markdown'));
  }
}
