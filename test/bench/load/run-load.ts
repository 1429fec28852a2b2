import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../statistics.js';
import { LoadConnection } from './connection.js';
import { RequestTemplate } from './event-template.js';
import type { LoadPlan, LoadResult } from './load-plan.js';

/** Arrivals that may wait for a free connection, in seconds of arrivals. */
const waiting_seconds_max = 10;

/** A connection with the request that it sends again and again. */
interface Lane {
  readonly connection: LoadConnection;
  readonly request: RequestTemplate;
}

/** Collects what the answers of one run were. */
class AnswerRecord {
  readonly latencies: number[] = [];
  wrong = 0;
  firstWrong: string | null = null;

  add(startedAt: number, wrong: string | null): void {
    this.latencies.push(performance.now() - startedAt);
    if (wrong === null) return;
    this.wrong += 1;
    this.firstWrong ??= wrong;
  }
}

/** Sends what the plan says and waits for every answer. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const lanes = await Promise.all(
    Array.from({ length: plan.connections }, async () => ({
      connection: await LoadConnection.open(plan.url, plan.expected),
      request: new RequestTemplate(plan),
    })),
  );
  const record = new AnswerRecord();
  const cpu = process.cpuUsage();
  const start = performance.now();
  if (plan.arrivalsPerSecond === undefined) {
    const deadline = start + plan.seconds * 1000;
    await Promise.all(lanes.map((lane) => askUntil(deadline, lane, record)));
  } else {
    await new ScheduledArrivals(lanes, record).run(plan.arrivalsPerSecond, plan.seconds);
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const { connection } of lanes) connection.close();
  const { latencies, wrong, firstWrong } = record;
  return {
    requests: latencies.length,
    seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpuSeconds: (user + system) / 1e6,
    wrong,
    firstWrong,
  };
}

/** Closed loop: the next request leaves when the last one is answered. */
function askUntil(deadline: number, lane: Lane, record: AnswerRecord): Promise<void> {
  return new Promise((resolve) => {
    const ask = (): void => {
      const startedAt = performance.now();
      if (startedAt >= deadline || record.wrong > 0) return resolve();
      lane.request.renew();
      lane.connection.send(lane.request.bytes, (wrong) => {
        record.add(startedAt, wrong);
        ask();
      });
    };
    ask();
  });
}

/** Open loop: requests arrive by the clock, and wait for a lane when none is free. */
class ScheduledArrivals {
  private readonly free: Lane[];
  private readonly waiting: number[] = [];
  private open = 0;

  constructor(
    lanes: readonly Lane[],
    private readonly record: AnswerRecord,
  ) {
    this.free = [...lanes];
  }

  async run(perSecond: number, seconds: number): Promise<void> {
    const start = performance.now();
    const arrivals = Math.round(perSecond * seconds);
    for (let arrived = 0; arrived < arrivals;) {
      const due = Math.min(arrivals, ((performance.now() - start) * perSecond) / 1000);
      for (; arrived < due; arrived += 1) this.arrive(start + (arrived * 1000) / perSecond);
      if (this.waiting.length > perSecond * waiting_seconds_max) {
        throw new Error(`${this.waiting.length} requests wait: the service cannot keep up`);
      }
      await pause(1);
    }
    while (this.open > 0 && this.record.wrong === 0) await pause(1);
  }

  /** Latency counts from here, however long the request waits for a lane. */
  private arrive(scheduledAt: number): void {
    this.open += 1;
    this.waiting.push(scheduledAt);
    this.dispatch();
  }

  private dispatch(): void {
    while (this.free.length > 0 && this.waiting.length > 0) {
      const lane = this.free.pop()!;
      const scheduledAt = this.waiting.shift()!;
      lane.request.renew();
      lane.connection.send(lane.request.bytes, (wrong) => {
        this.record.add(scheduledAt, wrong);
        this.open -= 1;
        this.free.push(lane);
        this.dispatch();
      });
    }
  }
}
