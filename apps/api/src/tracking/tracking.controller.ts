import { Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TrackingKeys } from '../credentials/tracking-keys.js';
import { asObject, parseJsonBody } from '../http/json-body.js';
import { BatchReader } from './batch-reader.js';
import { DryRunEvent } from './dry-run-event.query.js';
import { handlingOf, traceparentOf } from './request-headers.js';
import { TrackEvents } from './track-events.command.js';
import {
  toBatchAnswer,
  toDryRunAnswer,
  toTrackAnswer,
  type TrackingAnswer,
} from './tracking-answers.js';

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
  async track(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const principal = await this.keys.authenticate(request.headers);
    const event = asObject(parseJsonBody(request.body));
    const trace = traceparentOf(request.headers);
    const command = new TrackEvents(principal, [event], 'strict', trace);
    return send(reply, toTrackAnswer(await this.commands.execute(command)));
  }

  @Post('batch')
  async trackBatch(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const principal = await this.keys.authenticate(request.headers);
    const events = this.batches.read(request.body, request.headers['content-type']);
    const handling = handlingOf(request.headers);
    const command = new TrackEvents(principal, events, handling, traceparentOf(request.headers));
    return send(reply, toBatchAnswer(await this.commands.execute(command), handling));
  }

  @Post('dry-run')
  async dryRun(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const principal = await this.keys.authenticate(request.headers);
    const event = asObject(parseJsonBody(request.body));
    return send(
      reply,
      toDryRunAnswer(await this.queries.execute(new DryRunEvent(principal, event))),
    );
  }
}

function send(reply: FastifyReply, { status, body }: TrackingAnswer): object {
  void reply.status(status);
  return body;
}
