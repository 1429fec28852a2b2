import { randomBytes, randomUUID } from 'node:crypto';
import type { Claim } from '#domain/claims/claim.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { createSpecStores } from '../../support/stores.js';
import { baseline_window_share, type BenchContext } from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { treeSeconds } from '../cpu-time.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { short, us } from '../wording.js';

const claims_per_transaction = 500;
const transactions_in_flight = 2;
const keys_per_statement = 100_000;
/** As long as those of the events that the load generators send. */
const field_hash_bytes = 28;

interface ClaimWindow {
  readonly perSecond: number;
  /** Of Postgres, in microseconds for each claim. */
  readonly cpu: number;
}

/** New claims in a ledger of many keys against new claims in an empty one. */
export async function measureClaims(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options } = context;
  const empty = await TrialLedger.open();
  const full = await TrialLedger.open();
  try {
    await full.fill(options.claimKeys);
    const windows = await interleave(options.windows, {
      empty: async () => {
        await empty.clear();
        return measureWindow(context, empty);
      },
      full: () => measureWindow(context, full),
    });
    const rates = (of: readonly ClaimWindow[]) => of.map(({ perSecond }) => perSecond);
    const costs = (of: readonly ClaimWindow[]) => of.map(({ cpu }) => cpu);
    return [
      {
        figure: `claims at ${short(options.claimKeys)} existing keys ÷ at 0 keys`,
        measured: `${short(median(rates(windows.full)))} claims/s`,
        baseline: `${short(median(rates(windows.empty)))} claims/s`,
        value: medianRatio(rates(windows.full), rates(windows.empty)),
        unit: '',
        bar: { kind: 'at least', now: 0.6, next: 0.9 },
        notes: [
          `CPU of Postgres ${us(median(costs(windows.full)))} a claim, at 0 keys ` +
            `${us(median(costs(windows.empty)))}; the ledger was checkpointed before the first ` +
            `window, which came to ${short(windows.full[0]!.perSecond)} claims/s`,
        ],
      },
    ];
  } finally {
    await empty.close();
    await full.close();
  }
}

async function measureWindow(
  { options, service }: BenchContext,
  { ledger }: TrialLedger,
): Promise<ClaimWindow> {
  const organizationId = randomUUID();
  const cpu = await treeSeconds(service.pids.postgres);
  const start = performance.now();
  const end = start + options.windowSeconds * baseline_window_share * 1000;
  let claimed = 0;
  const claimOn = async (): Promise<void> => {
    while (performance.now() < end) {
      const claims = newClaims(organizationId);
      const held = await ledger.transaction((open) => open.insert(claims));
      if (held.size > 0) throw new Error(`${held.size} new claims were there already`);
      claimed += claims.length;
    }
  };
  await Promise.all(Array.from({ length: transactions_in_flight }, claimOn));
  const used = (await treeSeconds(service.pids.postgres)) - cpu;
  return {
    perSecond: (claimed * 1000) / (performance.now() - start),
    cpu: (used * 1e6) / claimed,
  };
}

function newClaims(organizationId: string): readonly Claim[] {
  const receivedAt = Date.now();
  const hashes = randomBytes(claims_per_transaction * 32).toString('hex');
  const fieldHashes = randomBytes(field_hash_bytes).toString('base64');
  return Array.from({ length: claims_per_transaction }, (_, index) => ({
    eventId: randomUUID(),
    organizationId,
    payloadHash: hashes.slice(index * 64, (index + 1) * 64),
    fieldHashes,
    receivedAt,
  }));
}

/** A ledger in a database of its own. */
class TrialLedger {
  private constructor(
    readonly ledger: ClaimLedger,
    private readonly database: Database,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(): Promise<TrialLedger> {
    const { databaseUrl, drop } = await createSpecStores();
    const database = await openDatabase({ url: databaseUrl, app: 'bench' });
    const ledger = new ClaimLedger({ databaseUrl, app: 'bench-claims', connectionsMax: 2 });
    return new TrialLedger(ledger, database, drop);
  }

  async clear(): Promise<void> {
    await this.database.query('truncate idempotency_claim');
  }

  /** Random keys, as event ids are; then a checkpoint, after which page writes cost the most. */
  async fill(keys: number): Promise<void> {
    for (let filled = 0; filled < keys; filled += keys_per_statement) {
      await this.database.query(
        `insert into idempotency_claim
           (event_id, organization_id, payload_hash, field_hashes, received_at)
         select id, id, sha256(uuid_send(id)), $2, now()
         from (select gen_random_uuid() as id from generate_series(1, $1::int)) as fresh`,
        [Math.min(keys_per_statement, keys - filled), randomBytes(field_hash_bytes)],
      );
    }
    await this.database.query('vacuum analyze idempotency_claim');
    await this.database.query('checkpoint');
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.database.destroy();
    await this.drop();
  }
}
