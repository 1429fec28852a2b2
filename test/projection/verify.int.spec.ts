import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usageAcceptedQuarantineTopic, usageAcceptedTopic } from '#contracts/topics.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import {
  adoption_projection,
  adoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import { storedAdoptionVersions } from '#read-models/adoption-version/stored-versions.js';
import { Shutdown } from '#runtime/shutdown.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import {
  cohortOf,
  daysAgo,
  openProjectorWorld,
  silent,
  type ProjectorWorld,
} from '../projector/projector-world.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { runProjection } from './ops-process.js';

const second = adoptionVersion(2);
const version = ['adoption', '--version', '2'];
const topic = usageAcceptedTopic.name;
let world: ProjectorWorld;
let shutdown: Shutdown;
let productId: string;

beforeEach(async () => {
  world = await openProjectorWorld();
  shutdown = new Shutdown(silent);
  Object.assign(world.config, { publishInterval: 'PT0S', probePort: 0 });
  ({ productId } = await world.addTool('alpha'));
  await world.accept([
    ...cohortOf(productId, 30, 6),
    ...cohortOf(productId, 30, 6, { occurredAt: daysAgo(3) }),
  ]);
  await startProjector(world.config, silent, shutdown);
});
afterEach(async () => {
  await shutdown.stop();
  await world.close();
});

const run = (command: string, ...more: string[]) =>
  runProjection(world.config, [command, ...version, ...more]);

const projected = (group: string) =>
  eventually(
    () => world.log.lag(group, topic),
    (lags) => lags.every(({ lag }) => lag === 0n),
  );

const publish = () => new PublicationRequests(world.database).publish(20_000);

/** Version 2 built, and every day of both versions computed. */
async function build(): Promise<void> {
  await projected(first_version.group);
  expect(await run('build', '--execute')).toMatchObject({ code: 0, err: '' });
  await projected(second.group);
  await publish();
}

const states = async () =>
  (await new ProjectionVersions(world.database.manager, adoption_projection).list()).map(
    ({ version: number, state }) => `${number} ${state}`,
  );

/** Any one event of the version. */
async function someEvent(): Promise<string> {
  const [row] = await world.clickhouse.rows<{ id: string }>(
    `SELECT toString(min(event_id)) AS id FROM ${second.tables.usage_events}`,
  );
  return row!.id;
}

const damage = (change: string, table: keyof typeof second.tables = 'usage_events') =>
  world.clickhouse.run(`ALTER TABLE ${second.tables[table]} ${change} SETTINGS mutations_sync = 2`);

describe('a build', () => {
  it('shows what it would do, and changes nothing unless told', async () => {
    const planned = await run('build');
    expect(planned).toMatchObject({ code: 0, json: { executed: false, plan: { records: 60 } } });
    expect(await states()).toEqual(['1 live']);
    expect(await storedAdoptionVersions(world.clickhouse)).toEqual([first_version]);
  });

  it('is refused for a version that is in use', async () => {
    await build();
    const again = await run('build', '--execute');
    expect(again.code).toBe(1);
    expect(again.err).toContain('version_exists');
    expect(await states()).toEqual(['1 live', '2 following']);
  });

  it('begins anew, in empty tables, when other code had begun it', async () => {
    await projected(first_version.group);
    await runProjection(world.config, ['build', ...version, '--execute'], 'rebuild_after_reset');
    await world.database.query(`update projection_version set app_version = 'older'`);
    await damage(`UPDATE latency_ms = 1 WHERE 1`);
    expect(await run('build', '--execute')).toMatchObject({ code: 0, err: '' });
    expect(await run('verify')).toMatchObject({ code: 0, json: { passed: true, events: 60 } });
  });
});

describe('a verification', () => {
  it('passes for what was built, derived days included, and lets it be cut over to', async () => {
    await build();
    const verified = await run('verify');
    expect(verified).toMatchObject({
      code: 0,
      json: { passed: true, events: 60, days: 2, daysInMotion: 0, pending: 0, keys: [] },
    });
    expect(await run('cutover', '--execute')).toMatchObject({ code: 0, err: '' });
    expect(await states()).toEqual(['1 retained', '2 live']);
  });

  it.each([
    ['missing', (id: string) => `DELETE WHERE event_id = '${id}'`],
    ['changed', (id: string) => `UPDATE latency_ms = 77 WHERE event_id = '${id}'`],
  ])('names the key of a row that is %s, and nothing is cut over', async (kind, change) => {
    await build();
    const id = await someEvent();
    await damage(change(id));
    const verified = await run('verify');
    expect(verified.code).toBe(1);
    expect(verified.err).toContain('differs');
    expect(verified.json).toMatchObject({
      passed: false,
      differences: 1,
      keys: [{ table: 'usage_events', kind, key: id, productId }],
    });
    const cut = await run('cutover', '--execute');
    expect(cut.code).toBe(1);
    expect(cut.err).toContain('unverified');
    expect(await states()).toEqual(['1 live', '2 following']);
  });

  it('is made again when one cuts over: what changed since is seen', async () => {
    await build();
    expect(await run('verify')).toMatchObject({ code: 0 });
    const id = await someEvent();
    await damage(`DELETE WHERE event_id = '${id}'`);
    const cut = await run('cutover', '--execute');
    expect(cut.code).toBe(1);
    expect(cut.err).toContain(id);
    expect(await states()).toEqual(['1 live', '2 following']);
  });

  it('sees a derived row that is gone', async () => {
    await build();
    await damage(`DELETE WHERE account_key = 3`, 'dev_day');
    const { code, json } = await run('verify');
    expect(code).toBe(1);
    expect(json['differences']).toBe(2);
    expect(JSON.stringify(json['keys'])).toContain('"dev_day"');
  });
});

describe('a version that is kept', () => {
  it('goes when its time is over, with its tables, and may be built again', async () => {
    await build();
    await run('verify');
    await run('cutover', '--execute');
    await world.database.query(
      `update projection_version set retained_until = now() where state = 'retained'`,
    );
    await eventually(
      () => storedAdoptionVersions(world.clickhouse),
      (stored) => stored.length === 1,
    );
    expect(await states()).toEqual(['1 dropped', '2 live']);
    await world.accept(cohortOf(productId, 5, 5));
    await projected(second.group);
    expect(await publish()).toBeGreaterThan(0);
    const first = ['adoption', '--version', '1'];
    const built = await runProjection(world.config, ['build', ...first, '--execute']);
    expect(built).toMatchObject({ code: 0, err: '' });
    const verified = await runProjection(world.config, ['verify', ...first]);
    expect(verified).toMatchObject({ code: 0, json: { passed: true, liveVersion: 2, events: 65 } });
  });
});

describe('a record that cannot be read', () => {
  it('is set aside when it comes, and not once more by a build', async () => {
    const unreadable = { key: 'x', value: Buffer.from('{"eventId":1}') };
    await world.log.append(topic, [unreadable]);
    await build();
    const setAside = async () =>
      (await world.log.ranges(usageAcceptedQuarantineTopic.name)).reduce(
        (sum, { high }) => sum + Number(high),
        0,
      );
    expect(await setAside()).toBe(1);
    await world.log.append(topic, [unreadable]);
    await projected(first_version.group);
    await projected(second.group);
    expect(await setAside()).toBeGreaterThanOrEqual(2);
    expect(await run('verify')).toMatchObject({ code: 0, json: { passed: true } });
  });
});
