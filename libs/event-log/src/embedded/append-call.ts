import { randomUUID } from 'node:crypto';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { LogUnavailableError } from '../event-log.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { backOffMs, pause } from '../driver/pause.js';

/** Frames of one round trip; the three lists run in parallel. */
export interface FramesToAppend {
  readonly topicId: number;
  readonly partitions: readonly number[];
  readonly counts: readonly number[];
  readonly frames: readonly Buffer[];
}

/** Two clocks tell the time that a repeat looks back over, and one of them may be set. */
const look_back_margin_ms = 60_000;

/** What is known of the records after one failed try. */
type FailedTry =
  /** They were not stored, and the same try may work later. */
  | { readonly kind: 'not_stored'; readonly error: unknown }
  /** They were not stored, and no repeat will change that. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** The connection went before the answer came. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** One try of a call; every try carries the same token. */
interface Try {
  readonly token: string;
  /**
   * How far back to look for what an earlier try stored; null when none can have: it is the first,
   * or those before it are known to have stored nothing.
   */
  readonly lookBackMs: number | null;
}

/**
 * Appends frames in one transaction and answers the base offset of each. Every try of one call
 * carries the same token, so a try whose answer was lost is found again instead of repeated.
 * @throws LogUnavailableError when `appendDeadlineMs` has passed or the server refuses.
 */
export async function appendFrames(
  pool: Pool,
  call: FramesToAppend,
  limits: EmbeddedLogLimits,
): Promise<readonly bigint[]> {
  const token = randomUUID();
  const startedAt = performance.now();
  const deadline = Date.now() + limits.appendDeadlineMs;
  let outcomeUnknown = false;
  const sorted = inPartitionOrder(call);
  for (let attempt = 0; ; attempt += 1) {
    const sinceStart = Math.ceil(performance.now() - startedAt);
    const lookBackMs = outcomeUnknown ? sinceStart + look_back_margin_ms : null;
    const result = await tryAppend(pool, { token, lookBackMs }, sorted.call);
    if (Array.isArray(result)) return sorted.basesOf(result);
    // A known refusal of this try says nothing about an earlier one that got no answer, except
    // that a repeat looks for the token first; so doubt, once there, stays.
    if (result.kind === 'unknown') outcomeUnknown = true;
    const wait = backOffMs(attempt, limits.retryMsMin, limits.retryMsMax);
    if (result.kind === 'refused' || Date.now() + wait > deadline) {
      throw new LogUnavailableError(reason(result.error), outcomeUnknown, result.error);
    }
    await pause(wait);
  }
}

/** Locks are taken in the order of the frames, so every appender must bring the same one. */
function inPartitionOrder(call: FramesToAppend): {
  readonly call: FramesToAppend;
  /** The answer for the sorted frames, in the order in which the frames came. */
  readonly basesOf: (sorted: readonly bigint[]) => readonly bigint[];
} {
  const { partitions, counts, frames } = call;
  const order = [...partitions.keys()].sort((one, other) => partitions[one]! - partitions[other]!);
  return {
    call: {
      topicId: call.topicId,
      partitions: order.map((frame) => partitions[frame]!),
      counts: order.map((frame) => counts[frame]!),
      frames: order.map((frame) => frames[frame]!),
    },
    basesOf: (sorted) => {
      const bases: bigint[] = new Array<bigint>(order.length);
      order.forEach((frame, index) => (bases[frame] = sorted[index]!));
      return bases;
    },
  };
}

async function tryAppend(
  pool: Pool,
  { token, lookBackMs }: Try,
  call: FramesToAppend,
): Promise<bigint[] | FailedTry> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { kind: 'not_stored', error };
  }
  try {
    const { rows } = await client.query<{ bases: string[] }>({
      name: 'event_log_append_frames',
      text: 'select event_log.append_frames($1, $2, $3, $4, $5, $6, $7) as bases',
      values: [
        token,
        lookBackMs === null ? null : `${lookBackMs} milliseconds`,
        call.topicId,
        call.partitions,
        call.counts,
        call.frames.map(({ length }) => length),
        Buffer.concat(call.frames),
      ],
    });
    client.release();
    return rows[0]!.bases.map(BigInt);
  } catch (error) {
    client.release(true);
    return judge(error);
  }
}

/** SQLSTATE classes after which the same statement may succeed: conflicts, resources, operator. */
const passing_classes = new Set(['40', '53', '55', '57', '58']);

function judge(error: unknown): FailedTry {
  if (!(error instanceof DatabaseError) || error.code === undefined) {
    return { kind: 'unknown', error };
  }
  // 57P01 to 57P05: the server ended the session, perhaps between the commit and its answer.
  if (error.code.startsWith('57P') || error.code.startsWith('08')) {
    return { kind: 'unknown', error };
  }
  const passing = passing_classes.has(error.code.slice(0, 2));
  return { kind: passing ? 'not_stored' : 'refused', error };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
