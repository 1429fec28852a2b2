import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { EventLog } from '#event-log/event-log.js';
import type { openDatabase } from '#postgres/database.js';
import { answers, type ReadinessChecks } from '#runtime/readiness.js';
import type { AppendBreaker } from '../tracking/append-breaker.js';

/** The engines of the API, each asked in its cheapest way. */
export function dependenciesOf(
  database: Awaited<ReturnType<typeof openDatabase>>,
  clickhouse: Clickhouse,
  log: EventLog,
  breaker: AppendBreaker,
): ReadinessChecks {
  return {
    postgres: answers(() => database.query('select 1')),
    clickhouse: async () => ({ up: await clickhouse.isUp(), detail: 'ping' }),
    event_log: async () =>
      breaker.isRefusing(Date.now()) ? { up: false, detail: 'appends keep failing' } : log.health(),
  };
}
