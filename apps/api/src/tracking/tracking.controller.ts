import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { asObject, parseJsonBody } from '../http/json-body.js';
import { TrackingKeys } from '../credentials/tracking-keys.js';
import { BatchReader } from './batch-reader.js';
import { DryRunEvent } from './dry-run-event.query.js';
import { TrackEvents } from './track-events.command.js';
import { toBatchAnswer, toDryRunAnswer, toTrackAnswer } from './tracking-answers.js';

/** Usage tracking, specification 4.8. */
@Controller('api/usage/track')
export class TrackingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly keys: TrackingKeys,
    private readonly batches: BatchReader,
  ) {}

  @Post()
  @HttpCode(200)
  async track(@Req() request: FastifyRequest): Promise<object> {
    const principal = await this.keys.authenticate(request.headers);
    const event = asObject(parseJsonBody(request.body));
    const command = new TrackEvents(principal, [event], traceparentOf(request));
    return toTrackAnswer(await this.commands.execute(command));
  }

  @Post('batch')
  @HttpCode(200)
  async trackBatch(@Req() request: FastifyRequest): Promise<object> {
    const principal = await this.keys.authenticate(request.headers);
    const events = this.batches.read(request.body);
    const command = new TrackEvents(principal, events, traceparentOf(request));
    return toBatchAnswer(await this.commands.execute(command));
  }

  @Post('dry-run')
  @HttpCode(200)
  async dryRun(@Req() request: FastifyRequest): Promise<object> {
    const principal = await this.keys.authenticate(request.headers);
    const event = asObject(parseJsonBody(request.body));
    return toDryRunAnswer(await this.queries.execute(new DryRunEvent(principal, event)));
  }
}

const traceparent_pattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceparentOf(request: FastifyRequest): string | null {
  const sent = request.headers['traceparent'];
  return typeof sent === 'string' && traceparent_pattern.test(sent) ? sent : null;
}
