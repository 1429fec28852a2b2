import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { EventLog } from '#event-log/event-log.js';
import type { openDatabase } from '#postgres/database.js';
import type { AppendBreaker } from '../tracking/append-breaker.js';
import type { Dependency } from './readiness.js';

/** The engines of the API, each asked in its cheapest way. */
export function dependenciesOf(
  database: Awaited<ReturnType<typeof openDatabase>>,
  clickhouse: Clickhouse,
  log: EventLog,
  breaker: AppendBreaker,
): readonly Dependency[] {
  return [
    {
      name: 'postgres',
      check: async () => {
        await database.query('select 1');
        return { up: true, detail: 'answers' };
      },
    },
    {
      name: 'clickhouse',
      check: async () => ({ up: await clickhouse.isUp(), detail: 'ping' }),
    },
    {
      name: 'event_log',
      check: async () =>
        breaker.isRefusing(Date.now())
          ? { up: false, detail: 'appends keep failing' }
          : log.health(),
    },
  ];
}
