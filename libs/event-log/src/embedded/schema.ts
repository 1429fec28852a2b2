import type { Pool } from 'pg';

/** Processes that open the log at the same moment create its schema one after another. */
const schema_lock = 7_305_101;

/** Each step is applied once, in order; a released step is never edited. */
const steps: readonly string[] = [
  `
create table event_log.topic (
  topic_id integer generated always as identity primary key,
  name text not null unique,
  partitions integer not null check (partitions > 0),
  retention_ms bigint not null check (retention_ms > 0)
);

create table event_log.partition (
  topic_id integer not null references event_log.topic,
  partition integer not null,
  low_offset bigint not null default 0,
  next_offset bigint not null default 0,
  appended_at timestamptz not null default '-infinity',
  primary key (topic_id, partition)
) with (fillfactor = 50);

create table event_log.batch (
  topic_id integer not null,
  partition integer not null,
  base_offset bigint not null,
  last_offset bigint not null,
  appended_at timestamptz not null,
  payload bytea not null,
  primary key (topic_id, partition, base_offset)
);
-- Frames arrive compressed; a second compression would only cost time.
alter table event_log.batch alter column payload set storage external;
create index batch_time on event_log.batch (topic_id, partition, appended_at, base_offset);

create table event_log.append_token (
  token uuid primary key,
  base_offsets bigint[] not null,
  created_at timestamptz not null
);
create index append_token_time on event_log.append_token (created_at);

create table event_log.group_topic (
  group_topic_id integer generated always as identity primary key,
  group_name text not null,
  topic_id integer not null references event_log.topic,
  unique (group_name, topic_id)
);

create table event_log.committed (
  group_topic_id integer not null references event_log.group_topic,
  partition integer not null,
  next_offset bigint,
  epoch bigint not null,
  primary key (group_topic_id, partition)
) with (fillfactor = 50);

-- Appends frames atomically and answers the base offset of each. The locks are taken in partition
-- order, so appenders cannot deadlock, and are held to the commit, so commit order is offset order
-- and no reader sees a hole. The token is looked up after the locks: a repeat therefore waits for
-- the first run and then finds what it stored.
create function event_log.append(
  p_token uuid, p_topic_id integer,
  p_partitions integer[], p_counts integer[], p_lengths integer[], p_payload bytea
) returns bigint[] language plpgsql as $$
declare
  v_bases bigint[];
  v_now timestamptz;
begin
  perform 1 from event_log.partition
    where topic_id = p_topic_id and partition = any (p_partitions)
    order by partition for update;
  select base_offsets into v_bases from event_log.append_token where token = p_token;
  if found then
    return v_bases;
  end if;
  -- An acknowledgement promises durability, whatever the database's default is.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  v_now := date_trunc('milliseconds', clock_timestamp());
  with frame as (
    select f.number, f.partition, f.count,
      (sum(f.count) over (partition by f.partition order by f.number) - f.count)::bigint as ahead,
      substring(p_payload
        from (1 + sum(f.length) over (order by f.number) - f.length)::integer
        for f.length) as payload
    from unnest(p_partitions, p_counts, p_lengths) with ordinality
      as f (partition, count, length, number)
  ), bumped as (
    update event_log.partition p
      set next_offset = p.next_offset + total.count,
        appended_at = greatest(p.appended_at, v_now)
      from (select frame.partition, sum(frame.count)::bigint as count from frame group by 1) total
      where p.topic_id = p_topic_id and p.partition = total.partition
      returning p.partition, p.next_offset - total.count as base, p.appended_at
  ), stored as (
    insert into event_log.batch
      (topic_id, partition, base_offset, last_offset, appended_at, payload)
    select p_topic_id, frame.partition, bumped.base + frame.ahead,
      bumped.base + frame.ahead + frame.count - 1, bumped.appended_at, frame.payload
    from frame join bumped on bumped.partition = frame.partition
    returning 1
  )
  select array_agg(bumped.base + frame.ahead order by frame.number) into v_bases
    from frame join bumped on bumped.partition = frame.partition;
  if coalesce(cardinality(v_bases), 0) <> cardinality(p_partitions) then
    raise exception 'a partition of topic % is missing', p_topic_id;
  end if;
  insert into event_log.append_token (token, base_offsets, created_at)
    values (p_token, v_bases, v_now);
  return v_bases;
end $$;

-- Takes a partition for the calling session, or answers no row when another session has it. The
-- new epoch fences whatever the previous owner still tries to commit.
create function event_log.claim(p_lock_class integer, p_group_topic_id integer, p_partition integer)
returns table (next_offset bigint, epoch bigint) language plpgsql as $$
begin
  if pg_try_advisory_lock(p_lock_class, p_partition) then
    return query
      insert into event_log.committed as c (group_topic_id, partition, next_offset, epoch)
      values (p_group_topic_id, p_partition, null, 1)
      on conflict (group_topic_id, partition) do update set epoch = c.epoch + 1
      returning c.next_offset, c.epoch;
  end if;
end $$;
`,
];

/** Brings the schema `event_log` up to date; safe to call from many processes at once. */
export async function ensureSchema(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [schema_lock]);
    await client.query('create schema if not exists event_log');
    await client.query(
      'create table if not exists event_log.schema_step (step integer primary key)',
    );
    const applied = await client.query<{ steps: string }>(
      'select count(*) as steps from event_log.schema_step',
    );
    for (let step = Number(applied.rows[0]!.steps); step < steps.length; step += 1) {
      await client.query(steps[step]!);
      await client.query('insert into event_log.schema_step (step) values ($1)', [step]);
    }
    await client.query('commit');
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    // A connection that failed midway is dropped, which rolls its transaction back.
    client.release(failure);
  }
}
