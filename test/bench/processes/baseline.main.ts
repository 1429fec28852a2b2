import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { tellParent } from '../child-messages.js';

/** Servers that do less than the service, each for one comparison; `BASELINE` names it. */
const baselines: Readonly<Record<string, () => Promise<string>>> = {
  'node-http': startParser,
  echo: startEcho,
  'static-page': startPage,
};

const body_bytes_max = 32 * 1024 * 1024;
const answer = '{"tracked":true}';

/** The unit of account: Node's own server, the whole body, one JSON.parse. */
async function startParser(): Promise<string> {
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as object;
      reply.writeHead('event_name' in body || 'events' in body ? 200 : 400, {
        'content-type': 'application/json',
        'content-length': answer.length,
      });
      reply.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Fastify that sends the received bytes back, unread. */
async function startEcho(): Promise<string> {
  const app = fastify({ bodyLimit: body_bytes_max });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/*', (request, reply) => reply.type('application/json').send(request.body));
  return listen(app);
}

/** Fastify with one route that answers with a string: the page found at `PAGE_URL`. */
async function startPage(): Promise<string> {
  const page = await (await fetch(process.env['PAGE_URL'] ?? '')).text();
  const app = fastify();
  app.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(page));
  return listen(app);
}

function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' });
}

const name = process.env['BASELINE'] ?? '';
const start = baselines[name];
if (start === undefined) throw new Error(`BASELINE is "${name}"`);
process.once('disconnect', () => process.exit(0));
tellParent({ baseUrl: await start() });
