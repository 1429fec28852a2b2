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
  // A first try finds nothing to look up and stores no token of its own; see docs/decisions/0023.
  `
alter table event_log.batch add column token uuid;
drop index event_log.batch_time;
-- Frames of a few records stay in their row up to half a page, instead of 2 kB pieces beside it.
alter table event_log.batch set (toast_tuple_target = 4080);

-- The base offset of the first frame appended at or after a time; the high end when none was. A
-- search by halves over the primary key: times never fall within a partition.
create function event_log.offset_at(p_topic_id integer, p_partition integer, p_time timestamptz)
returns bigint language plpgsql as $$
declare
  v_from bigint := 0;
  v_to bigint;
  v_middle bigint;
  v_frame record;
begin
  select next_offset into v_to from event_log.partition
    where topic_id = p_topic_id and partition = p_partition;
  while v_from < v_to loop
    v_middle := (v_from + v_to) / 2;
    select base_offset, last_offset, appended_at into v_frame from event_log.batch
      where topic_id = p_topic_id and partition = p_partition and base_offset <= v_middle
      order by base_offset desc limit 1;
    -- What retention removed was appended before anything that is left.
    if not found then
      v_from := v_middle + 1;
    elsif v_frame.appended_at < p_time then
      v_from := greatest(v_frame.last_offset, v_middle) + 1;
    else
      v_to := v_frame.base_offset;
    end if;
  end loop;
  return v_to;
end $$;

-- The base offsets of frames that an earlier try with this token stored no longer ago than the
-- look back, by partition and offset; null when it stored nothing. The caller holds the locks of
-- the partitions, so what is not recent must not be read.
create function event_log.appended_before(
  p_token uuid, p_topic_id integer, p_partitions integer[], p_look_back interval
) returns bigint[] language plpgsql set enable_seqscan = off as $$
declare
  v_partition integer;
  v_start bigint;
  v_found bigint[];
  v_bases bigint[];
begin
  for v_partition in select distinct p from unnest(p_partitions) as p order by p loop
    v_start := event_log.offset_at(p_topic_id, v_partition, clock_timestamp() - p_look_back);
    select array_agg(base_offset order by base_offset) into v_found from event_log.batch
      where topic_id = p_topic_id and partition = v_partition
        and base_offset >= v_start and token = p_token;
    v_bases := v_bases || v_found;
  end loop;
  return v_bases;
end $$;

-- Appends frames atomically and answers the base offset of each. The frames come in partition
-- order, so the updates take the locks in that order and appenders cannot deadlock; they are held
-- to the commit, so commit order is offset order and no reader sees a hole.
-- A repeat (then the look back is not null) takes all locks first: it waits for the earlier try and
-- then finds what that stored. What it stores itself is remembered by event_log.append, where an
-- earlier try that comes to its locks only now finds it, and takes everything back.
create function event_log.append_frames(
  p_token uuid, p_look_back interval, p_topic_id integer,
  p_partitions integer[], p_counts integer[], p_lengths integer[], p_payload bytea
) returns bigint[] language plpgsql as $$
declare
  v_bases bigint[];
  v_base bigint;
  v_appended_at timestamptz;
  v_from integer := 1;
begin
  if p_look_back is not null then
    perform 1 from event_log.partition
      where topic_id = p_topic_id and partition = any (p_partitions)
      order by partition for update;
    v_bases := event_log.appended_before(p_token, p_topic_id, p_partitions, p_look_back);
    if v_bases is null then
      return event_log.append(
        p_token, p_topic_id, p_partitions, p_counts, p_lengths, p_payload);
    end if;
    return v_bases;
  end if;
  -- An acknowledgement promises durability, whatever the database's default is.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  for i in 1 .. cardinality(p_partitions) loop
    update event_log.partition
      set next_offset = next_offset + p_counts[i],
        appended_at = greatest(appended_at, date_trunc('milliseconds', clock_timestamp()))
      where topic_id = p_topic_id and partition = p_partitions[i]
      returning next_offset - p_counts[i], appended_at into v_base, v_appended_at;
    if not found then
      raise exception 'a partition of topic % is missing', p_topic_id;
    end if;
    insert into event_log.batch
      (topic_id, partition, base_offset, last_offset, appended_at, payload, token)
    values (p_topic_id, p_partitions[i], v_base, v_base + p_counts[i] - 1, v_appended_at,
      substring(p_payload from v_from for p_lengths[i]), p_token);
    v_bases[i] := v_base;
    v_from := v_from + p_lengths[i];
  end loop;
  if exists (select 1 from event_log.append_token where token = p_token) then
    raise exception 'append % was repeated before it came to its locks', p_token;
  end if;
  return v_bases;
end $$;
`,
];

/**
 * Brings the schema `event_log` up to date; safe to call from many processes at once.
 * @param stepsWanted fewer than there are make the schema of an older installation, for specs.
 */
export async function ensureSchema(pool: Pool, stepsWanted = steps.length): Promise<void> {
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
    for (let step = Number(applied.rows[0]!.steps); step < stepsWanted; step += 1) {
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
