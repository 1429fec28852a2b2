import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import type { BodyBudget } from './body-budget.js';
import { nextTurn } from './next-turn.js';
import { receiveBody, refuseAnnounced } from './receive-body.js';

/** How long a refused request may go on sending before its connection is cut. */
const linger_ms_max = 3_000;
const json_only = ['application/json'];

/**
 * Hands bodies over as buffers: `request.body` without its encoding, `request.rawBody` as it came.
 * The media types an endpoint takes are in the table of endpoints; JSON when it says nothing.
 */
export function addRequestBodies(
  fastify: FastifyInstance,
  bytesMax: number,
  budget: BodyBudget,
): void {
  fastify.removeAllContentTypeParsers();
  const asking = answersToAsking(fastify);
  fastify.addContentTypeParser('*', async (request: FastifyRequest, message: IncomingMessage) => {
    refuseOtherTypes(request);
    refuseAnnounced(message, bytesMax);
    asking.get(message)?.writeContinue();
    const share = budget.open();
    request.bodyShare = share;
    const received = await receiveBody(message, { bytesMax, take: (bytes) => share.take(bytes) });
    request.rawBody = received.raw;
    await nextTurn();
    return received.content;
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    // Also when the client hangs up before there is an answer, unlike the hook onResponse.
    reply.raw.on('close', () => request.bodyShare?.release());
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    cutUnfinished(request.raw);
    done();
  });
}

function refuseOtherTypes(request: FastifyRequest): void {
  const types = request.endpoint?.body?.types ?? json_only;
  if (types.includes(request.headers['content-type'] ?? '')) return;
  const [type, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const unicode = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (types.includes(type!.trim()) && unicode) return;
  throw new ProblemError('unsupported_media_type', `Send the body as ${types.join(' or ')}.`);
}

/**
 * Who asks before sending (`Expect: 100-continue`) is told to go on once the body is wanted, and
 * before that whatever is wrong with the header.
 */
function answersToAsking({ server }: FastifyInstance): WeakMap<IncomingMessage, ServerResponse> {
  const asking = new WeakMap<IncomingMessage, ServerResponse>();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    asking.set(request, response);
    server.emit('request', request, response);
  });
  return asking;
}

/** The answer is out while the body still arrives: give it a moment to be read, then hang up. */
function cutUnfinished(message: IncomingMessage): void {
  const { socket } = message;
  if (message.complete || socket.destroyed) return;
  message.resume();
  // The request closes with its answer, whatever of it is still to come.
  const timer = setTimeout(() => {
    if (!message.complete) socket.destroy();
  }, linger_ms_max);
  timer.unref();
}
