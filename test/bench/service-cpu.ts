import type { Database } from '#postgres/database.js';
import { secondsOf, treeSeconds, type CpuReading } from './cpu-time.js';
import type { ServiceUnderTest } from './service-under-test.js';

/**
 * CPU time of everything that works for the service. `postgres` is the server with all of its
 * processes; `postgres: <application> #<process>` is the part of one connection.
 */
export async function readServiceCpu(service: ServiceUnderTest): Promise<CpuReading> {
  const { pids, database } = service;
  return {
    api: await treeSeconds(pids.api),
    postgres: await treeSeconds(pids.postgres),
    ...(await connectionSeconds(database)),
    worker: await treeSeconds(pids.worker),
    projector: await treeSeconds(pids.projector),
    clickhouse: await treeSeconds(pids.clickhouse),
    ...(pids.kafka === null ? {} : { kafka: await treeSeconds(pids.kafka) }),
  };
}

/** What accepting events costs, by the bars: the API, the whole of Postgres, and the broker. */
export function acceptSeconds(used: CpuReading): number {
  return used['api']! + used['postgres']! + (used['kafka'] ?? 0);
}

export function acceptName({ log }: ServiceUnderTest): string {
  return log === 'kafka' ? 'CPU of API + Postgres + Kafka' : 'CPU of API + Postgres';
}

/** The parts of Postgres by application; `rest` is what no open connection explains. */
export function postgresParts(used: CpuReading): CpuReading {
  const parts: Record<string, number> = { rest: used['postgres'] ?? 0 };
  for (const [name, cost] of Object.entries(used)) {
    const application = /^postgres: (.*) #\d+$/.exec(name)?.[1];
    if (application === undefined) continue;
    parts[application] = (parts[application] ?? 0) + cost;
    parts['rest']! -= cost;
  }
  return parts;
}

async function connectionSeconds(database: Database): Promise<CpuReading> {
  const rows = await database.query<{ pid: number; application: string }[]>(
    `select pid, application_name as application from pg_stat_activity
     where backend_type = 'client backend' and application_name <> ''`,
  );
  const parts: Record<string, number> = {};
  for (const { pid, application } of rows) {
    parts[`postgres: ${application} #${pid}`] = await secondsOf(pid);
  }
  return parts;
}
