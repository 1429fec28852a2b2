import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fastify } from 'fastify';
import { Pool, type PoolClient } from 'pg';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import { tellParent } from '../child-messages.js';

/**
 * The way that comes to mind first: every event becomes an instance that class-validator checks,
 * and then a jsonb row, each by a statement of its own that answers whether its key was new. The
 * path `/in-transaction` gives up that answer for a transaction around the batch. No log, no
 * projection, no comparison of contents.
 */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 8 });
await pool.query(`create table naive_event (
  idempotency_key text primary key,
  received_at timestamptz not null default now(),
  body jsonb not null
)`);

interface NaiveEvent {
  readonly idempotencyKey: string;
}

async function insert(to: Pool | PoolClient, event: NaiveEvent): Promise<boolean> {
  const { rowCount } = await to.query({
    name: 'insert-naive-event',
    text: `insert into naive_event (idempotency_key, body) values ($1, $2)
      on conflict (idempotency_key) do nothing`,
    values: [event.idempotencyKey, JSON.stringify(event)],
  });
  return rowCount === 1;
}

async function storeEach(events: readonly NaiveEvent[]): Promise<number> {
  let stored = 0;
  for (const event of events) if (await insert(pool, event)) stored += 1;
  return stored;
}

async function storeInTransaction(events: readonly NaiveEvent[]): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const event of events) await insert(client, event);
    await client.query('commit');
    return events.length;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

const app = fastify({ bodyLimit: 32 * 1024 * 1024 });
app.post<{ Body: { readonly events: readonly NaiveEvent[] } }>('/*', async (request, reply) => {
  const { events } = request.body;
  for (const event of events) {
    const instance = plainToInstance(UsageTrackingEventDto, event);
    const errors = validateSync(instance, { forbidUnknownValues: false });
    if (errors.length > 0) return reply.code(422).send({ tracked: false });
  }
  const store = request.url.startsWith('/in-transaction') ? storeInTransaction : storeEach;
  return { tracked: true, stored: await store(events) };
});

process.once('disconnect', () => process.exit(0));
tellParent({ baseUrl: await app.listen({ port: 0, host: '127.0.0.1' }) });
