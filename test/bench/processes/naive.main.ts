import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import { tellParent } from '../child-messages.js';

/**
 * The way that comes to mind first: every event becomes an instance that class-validator checks,
 * and then one `INSERT` of one jsonb row; a batch is a transaction. No identity, no log.
 */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 8 });
await pool.query(`create table naive_event (
  id bigint generated always as identity primary key,
  received_at timestamptz not null default now(),
  body jsonb not null
)`);

async function store(events: readonly object[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const event of events) {
      await client.query({
        name: 'insert-naive-event',
        text: 'insert into naive_event (body) values ($1)',
        values: [JSON.stringify(event)],
      });
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

const app = fastify({ bodyLimit: 32 * 1024 * 1024 });
app.post<{ Body: { readonly events: readonly object[] } }>('/*', async (request, reply) => {
  const { events } = request.body;
  for (const event of events) {
    const instance = plainToInstance(UsageTrackingEventDto, event);
    const errors = validateSync(instance, { forbidUnknownValues: false });
    if (errors.length > 0) return reply.code(422).send({ tracked: false });
  }
  await store(events);
  return { tracked: true, stored: events.length };
});

process.once('disconnect', () => process.exit(0));
tellParent({ baseUrl: await app.listen({ port: 0, host: '127.0.0.1' }) });
