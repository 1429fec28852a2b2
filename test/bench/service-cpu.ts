import type { Database } from '#postgres/database.js';
import { processSeconds, treeSeconds, type CpuReading } from './cpu-time.js';
import type { ServiceUnderTest } from './service-under-test.js';

/** Name of the part of Postgres that no connection of the service explains. */
const rest_of_postgres = 'postgres: rest';

/**
 * CPU time of everything that works for the service. `postgres` is the server with all of its
 * processes; the names that begin with `postgres: ` are its parts, by the application that is
 * connected.
 */
export async function readServiceCpu(service: ServiceUnderTest): Promise<CpuReading> {
  const { pids, database } = service;
  const parts = await postgresParts(database);
  const postgres = await treeSeconds(pids.postgres);
  const known = Object.values(parts).reduce((total, seconds) => total + seconds, 0);
  return {
    api: await treeSeconds(pids.api),
    postgres,
    ...parts,
    [rest_of_postgres]: postgres - known,
    worker: await treeSeconds(pids.worker),
    projector: await treeSeconds(pids.projector),
    clickhouse: await treeSeconds(pids.clickhouse),
  };
}

/** What accepting events costs, by the bars: the API and the whole of Postgres. */
export function acceptSeconds(used: CpuReading): number {
  return used['api']! + used['postgres']!;
}

async function postgresParts(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<{ pid: number; application: string }[]>(
    `select pid, application_name as application from pg_stat_activity
     where backend_type = 'client backend' and application_name <> ''`,
  );
  const parts: Record<string, number> = {};
  for (const { pid, application } of rows) {
    const name = `postgres: ${application}`;
    parts[name] = (parts[name] ?? 0) + (await processSeconds(pid));
  }
  return parts;
}
