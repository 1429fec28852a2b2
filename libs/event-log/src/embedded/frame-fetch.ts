import type { Pool } from 'pg';
import { JoinedCalls } from '../driver/joined-calls.js';

/** Where to fetch frames and how many records they should hold, about. */
export interface FrameRequest {
  readonly topicId: number;
  readonly partition: number;
  readonly from: bigint;
  readonly recordsMax: number;
}

/** A stored row of the log. */
export interface StoredFrame {
  readonly base: bigint;
  readonly last: bigint;
  /** Epoch milliseconds. */
  readonly appendedAt: number;
  readonly payload: Buffer;
}

/** The range of a partition and frames of it, as one snapshot shows them. */
export interface FetchedFrames {
  readonly low: bigint;
  readonly high: bigint;
  readonly frames: readonly StoredFrame[];
}

interface FrameRow {
  readonly number: number;
  readonly low_offset: string;
  readonly next_offset: string;
  readonly base_offset: string | null;
  readonly last_offset: string;
  readonly appended_ms: number;
  readonly payload: Buffer;
}

/** More rows than this of one partition are never joined into one fetch, however small. */
const frames_per_fetch_max = 256;

// One statement, hence one snapshot: the range and the frames of a partition belong together.
const fetch_sql = `
select q.number::integer, p.low_offset, p.next_offset,
  f.base_offset, f.last_offset, f.appended_ms, f.payload
from unnest($1::integer[], $2::integer[], $3::bigint[], $4::integer[]) with ordinality
  as q (topic_id, partition, from_offset, records_max, number)
join event_log.partition p on p.topic_id = q.topic_id and p.partition = q.partition
left join lateral (
  select frame.*, sum(octet_length(payload)) over (order by base_offset)
    - octet_length(payload) as bytes_ahead
  from (
    select base_offset, last_offset, payload,
      (extract(epoch from appended_at) * 1000)::float8 as appended_ms
    from event_log.batch
    where topic_id = q.topic_id and partition = q.partition
      and last_offset >= q.from_offset and base_offset < q.from_offset + q.records_max
      and base_offset >= coalesce((
        select base_offset from event_log.batch
        where topic_id = q.topic_id and partition = q.partition and base_offset <= q.from_offset
        order by base_offset desc limit 1), 0)
    order by base_offset limit ${frames_per_fetch_max}
  ) frame
) f on f.bytes_ahead < $5
order by q.number, f.base_offset`;

/** Fetches frames; requests of one turn of the event loop travel together. */
export class FrameFetch {
  private readonly joined = new JoinedCalls((requests: readonly FrameRequest[]) =>
    this.fetchAll(requests),
  );

  /** @param bytesMax stored bytes fetched of one partition at once (at least one frame is). */
  constructor(
    private readonly pool: Pool,
    private readonly bytesMax: number,
  ) {}

  /** Null when there is no such partition. */
  fetch(request: FrameRequest): Promise<FetchedFrames | null> {
    return this.joined.add(request);
  }

  private async fetchAll(
    requests: readonly FrameRequest[],
  ): Promise<readonly (FetchedFrames | null)[]> {
    const { rows } = await this.pool.query<FrameRow>({
      name: 'event_log_fetch',
      text: fetch_sql,
      values: [
        requests.map(({ topicId }) => topicId),
        requests.map(({ partition }) => partition),
        requests.map(({ from }) => from),
        requests.map(({ recordsMax }) => recordsMax),
        this.bytesMax,
      ],
    });
    const rowsOf: FrameRow[][] = requests.map(() => []);
    for (const row of rows) rowsOf[row.number - 1]!.push(row);
    return rowsOf.map(toFetched);
  }
}

function toFetched(rows: readonly FrameRow[]): FetchedFrames | null {
  const range = rows[0];
  if (range === undefined) return null;
  return {
    low: BigInt(range.low_offset),
    high: BigInt(range.next_offset),
    frames: rows.flatMap(({ base_offset, last_offset, appended_ms, payload }) =>
      base_offset === null
        ? []
        : {
            base: BigInt(base_offset),
            last: BigInt(last_offset),
            appendedAt: Math.floor(appended_ms),
            payload,
          },
    ),
  };
}
