import { createHmac } from 'node:crypto';
import type { QuotaStore } from '#postgres/rate-limits/quota-store.js';
import type { Logger } from '#runtime/logger.js';

/** An order of one account. `settle` gets the store's number, or null when the store is away. */
export interface LeaseOrder {
  readonly caller: string;
  readonly policy: string;
  readonly windowStart: number;
  readonly windowMs: number;
  readonly units: number;
  readonly settle: (asked: number | null) => void;
}

const orders_per_lease_max = 500;
const away_ms = 2_000;
const bucket_bytes = 16;

/**
 * Takes the orders of all accounts to the store: at once while idle, and together while a lease is
 * under way. After a failure orders are settled with null for two seconds without asking.
 */
export class LeaseDesk {
  private waiting: LeaseOrder[] = [];
  private leasing: Promise<void> | null = null;
  private awayUntil = 0;

  /** `secret` keys the hashes under which callers appear in the store. */
  constructor(
    private readonly store: QuotaStore,
    private readonly secret: string,
    private readonly logger: Logger,
  ) {}

  order(order: LeaseOrder): void {
    if (Date.now() < this.awayUntil) {
      order.settle(null);
      return;
    }
    this.waiting.push(order);
    this.leasing ??= this.leaseAll();
  }

  /** Resolves when no order is open. */
  async settled(): Promise<void> {
    await this.leasing;
  }

  private async leaseAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const orders = this.waiting.splice(0, orders_per_lease_max);
      await this.lease(orders);
    }
    this.leasing = null;
  }

  private async lease(orders: readonly LeaseOrder[]): Promise<void> {
    const buckets = orders.map((order) => this.bucketOf(order));
    try {
      const asked = await this.store.lease(
        orders.map(({ windowStart, windowMs, units }, index) => ({
          bucket: buckets[index]!,
          windowStart,
          windowMs,
          units,
        })),
      );
      orders.forEach(({ settle }, index) =>
        settle(asked.get(buckets[index]!.toString('hex')) ?? null),
      );
    } catch (error) {
      this.awayUntil = Date.now() + away_ms;
      this.logger.warn({ err: error }, 'quotas are counted by this instance alone for now');
      for (const { settle } of orders) settle(null);
    }
  }

  private bucketOf({ policy, windowMs, caller }: LeaseOrder): Buffer {
    return createHmac('sha256', this.secret)
      .update(`rate limit\n${policy}\n${windowMs}\n${caller}`)
      .digest()
      .subarray(0, bucket_bytes);
  }
}
