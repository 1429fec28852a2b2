import type { DataSource } from 'typeorm';

/** What a claim says, without what only a 409 needs. */
export interface ListedClaim {
  readonly eventId: string;
  /** SHA-256 of the canonical content, hex. */
  readonly payloadHash: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** Committed claims in the order of their ids, page by page. */
export class ClaimPages {
  constructor(
    private readonly database: DataSource,
    private readonly pageMax: number,
  ) {}

  /** Pages of the claims from an id on and up to another, which is left out (null: to the end). */
  async *between(from: string, to: string | null): AsyncGenerator<readonly ListedClaim[]> {
    let next = from;
    let inclusive = true;
    for (;;) {
      const page = await this.page(next, inclusive, to);
      if (page.length > 0) yield page;
      if (page.length < this.pageMax) return;
      next = page.at(-1)!.eventId;
      inclusive = false;
    }
  }

  /** About how many claims there are, as the server's statistics say; 0 when it has none yet. */
  async estimate(): Promise<number> {
    const [row] = await this.database.query<{ count: number }[]>(
      `select greatest(reltuples, 0)::float8 as count
       from pg_class where oid = 'idempotency_claim'::regclass`,
    );
    return row?.count ?? 0;
  }

  private page(from: string, inclusive: boolean, to: string | null): Promise<ListedClaim[]> {
    return this.database.query<ListedClaim[]>(
      `select event_id as "eventId", encode(payload_hash, 'hex') as "payloadHash",
         (extract(epoch from received_at) * 1000)::float8 as "receivedAt"
       from idempotency_claim
       where event_id ${inclusive ? '>=' : '>'} $1::uuid
         and ($2::uuid is null or event_id < $2::uuid)
       order by event_id limit $3`,
      [from, to, this.pageMax],
    );
  }
}
