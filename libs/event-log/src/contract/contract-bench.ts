import { randomUUID } from 'node:crypto';
import type {
  EventLog,
  LogAck,
  LogBatch,
  LogRecord,
  LogRecordInput,
  ReadOptions,
  SubscribeOptions,
  Subscription,
} from '../event-log.js';
import { partitionOf } from '../partitioner.js';
import { LogChild } from './child-process.js';
import type { LogTuning, LogUnderTest } from './log-under-test.js';

const hour_ms = 60 * 60 * 1000;

type Collecting = Omit<SubscribeOptions, 'handler'> & Partial<Pick<SubscribeOptions, 'handler'>>;

/** What a test of the contract works with; everything it opens ends with the test. */
export class ContractBench {
  private store!: LogUnderTest;
  private shared!: EventLog;
  private readonly opened: EventLog[] = [];
  private readonly children: LogChild[] = [];
  private readonly subscriptions: Subscription[] = [];

  constructor(private readonly setup: () => Promise<LogUnderTest>) {}

  get log(): EventLog {
    return this.shared;
  }

  get under(): LogUnderTest {
    return this.store;
  }

  async start(): Promise<void> {
    this.store = await this.setup();
    this.shared = await this.store.open();
  }

  async stop(): Promise<void> {
    await this.shared.close();
    await this.store.remove();
  }

  async endTest(): Promise<void> {
    await Promise.all(this.children.splice(0).map((child) => child.kill()));
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.stop()));
    await Promise.all(this.opened.splice(0).map((log) => log.close()));
  }

  async open(tuning?: LogTuning): Promise<EventLog> {
    const log = await this.store.open(tuning);
    this.opened.push(log);
    return log;
  }

  async topic(partitions = 1): Promise<string> {
    const name = `contract.${randomUUID()}`;
    await this.log.ensureTopics([{ name, partitions, retentionMs: hour_ms }]);
    return name;
  }

  child(child: LogChild): LogChild {
    this.children.push(child);
    return child;
  }

  /** Appends `count` records with the keys `from`, `from + 1`, … and their number as the value. */
  append(topic: string, count: number, from = 0): Promise<readonly LogAck[]> {
    return this.log.append(topic, numbered(count, from));
  }

  async read(topic: string, options?: ReadOptions): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for await (const batch of this.log.read(topic, options)) records.push(...batch.records);
    return records;
  }

  async subscribe(options: SubscribeOptions, log = this.log): Promise<Subscription> {
    const subscription = await log.subscribe(options);
    this.subscriptions.push(subscription);
    return subscription;
  }

  /** Subscribes and keeps what was delivered; `handler` runs after a batch was noted. */
  async collect(options: Collecting, log = this.log): Promise<Collected> {
    const batches: LogBatch[] = [];
    const subscription = await this.subscribe(
      {
        ...options,
        handler: async (batch, context) => {
          batches.push(batch);
          return options.handler?.(batch, context);
        },
      },
      log,
    );
    return { subscription, batches, records: () => batches.flatMap(({ records }) => records) };
  }
}

export interface Collected {
  readonly subscription: Subscription;
  readonly batches: readonly LogBatch[];
  readonly records: () => readonly LogRecord[];
}

export function numbered(count: number, from = 0): LogRecordInput[] {
  return Array.from({ length: count }, (_, index) => ({
    key: String(from + index),
    value: Buffer.from(String(from + index)),
  }));
}

/** A key that goes to `partition`. */
export function keyFor(partition: number, partitions: number): string {
  for (let number = 0; ; number += 1) {
    if (partitionOf(`key-${number}`, partitions) === partition) return `key-${number}`;
  }
}

export function textOf(record: LogRecord): string {
  return Buffer.from(record.value).toString('utf8');
}

export function offsetsIn(records: readonly LogRecord[]): bigint[] {
  return records.map(({ offset }) => offset);
}

/** `0n, 1n, … count - 1` from `from` on. */
export function offsetsFrom(from: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => from + BigInt(index));
}
