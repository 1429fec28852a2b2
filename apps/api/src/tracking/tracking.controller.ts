import { Controller, Header, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import { TrackingKeys } from '../credentials/tracking-keys.js';
import { asObject, parseJsonBody } from '../http/json-body.js';
import { traceparentOf } from '../http/trace-context.js';
import { settleUnits } from '../rate-limits/request-quota.js';
import type { BatchRequest } from './batches/batch-tracking.js';
import { TrackBatch } from './batches/track-batch.command.js';
import { DryRunEvent } from './dry-run-event.query.js';
import { handlingOf } from './request-headers.js';
import { TrackEvents } from './track-events.command.js';
import { toDryRunAnswer, toTrackAnswer } from './tracking-answers.js';

/** Usage tracking, specification 4.8. */
@Controller('api/usage/track')
export class TrackingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly keys: TrackingKeys,
  ) {}

  @Post()
  @Header('content-type', 'application/json; charset=utf-8')
  async track(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const principal = this.keys.principalOf(request);
    const event = asObject(parseJsonBody(request.body));
    const trace = traceparentOf(request.headers);
    const command = new TrackEvents(principal, [event], 'strict', trace);
    return send(reply, toTrackAnswer(await this.commands.execute(command)));
  }

  @Post('batch')
  @Header('content-type', 'application/json; charset=utf-8')
  async trackBatch(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Uint8Array> {
    const principal = this.keys.principalOf(request);
    const batch = toBatchRequest(principal, request);
    const answer = await this.commands.execute(new TrackBatch(batch));
    settleUnits(request, reply, answer.received);
    return send(reply, answer);
  }

  @Post('dry-run')
  async dryRun(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const principal = this.keys.principalOf(request);
    const event = asObject(parseJsonBody(request.body));
    return send(
      reply,
      toDryRunAnswer(await this.queries.execute(new DryRunEvent(principal, event))),
    );
  }
}

function send<Body>(reply: FastifyReply, { status, body }: { status: number; body: Body }): Body {
  void reply.status(status);
  return body;
}

function toBatchRequest(principal: TrackingPrincipal, request: FastifyRequest): BatchRequest {
  return {
    principal,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    contentType: request.headers['content-type'] ?? null,
    handling: handlingOf(request.headers),
    traceparent: traceparentOf(request.headers),
    requestId: request.id,
  };
}
