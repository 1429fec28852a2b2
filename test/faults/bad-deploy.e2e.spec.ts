import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  usageAcceptedQuarantineTopic,
  usageAcceptedTopic,
  usageReceivedTopic,
} from '#contracts/topics.js';
import { freePort } from '#embedded-engines/free-port.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { createLogger } from '#runtime/logger.js';
import { clerk_group } from '../../apps/ingest-worker/src/ingest-worker.js';
import { acceptedEvent } from '../projector/projector-world.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { first_version } from '../support/first-version.js';
import { readLogContents } from '../support/log-contents.js';
import { probe } from '../support/probe.js';
import { specEnvironment, startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
let log: EventLog;
let app: FaultyApp | null = null;
let probes = '';

beforeEach(async () => {
  service = await startSpecService();
  log = await openEventLog(service.config, createLogger('spec', 'silent'));
});

afterEach(async () => {
  await app?.kill('SIGKILL');
  app = null;
  await log.close();
  await service.stop();
});

/** Starts an app as a deployment does, in a process of its own with probes. */
async function deploy(name: 'ingest-worker' | 'projector', settings: Record<string, string> = {}) {
  await app?.kill('SIGTERM');
  const port = String(await freePort());
  probes = `http://127.0.0.1:${port}`;
  const { databaseUrl, clickhouseUrl } = service.config;
  const stores = specEnvironment({ databaseUrl: databaseUrl!, clickhouseUrl: clickhouseUrl! });
  const environment = { ...stores, LOG_LEVEL: 'error', PROBE_PORT: port, ...settings };
  app = await startFaultyApp(name, environment);
}

const stopped = () =>
  eventually(
    () => probe(probes),
    ({ report }) => report.checks['quarantine']?.up === false,
  );

async function unfinished(group: string, topic: string): Promise<number> {
  const lags = await log.lag(group, topic);
  return lags.reduce((sum, { lag }) => sum + Number(lag), 0);
}

const finished = (group: string, topic: string) =>
  eventually(
    () => unfinished(group, topic),
    (records) => records === 0,
  );

const unregistered = '01890a5d-ac96-774b-bcce-b302099a8057';

/** `count` received events of which every `nth` is of an organization that nobody registered. */
function received(count: number, nth: number) {
  return Array.from({ length: count }, (_, index) => {
    const eventId = randomUUID();
    const organizationId = index % nth === nth - 1 ? unregistered : service.organizationId;
    const body = {
      eventId,
      organizationId,
      keyId: randomUUID(),
      keyProductId: null,
      idempotencyKey: eventId,
      emailDomain: null,
      receivedAt: new Date().toISOString(),
      payloadHash: 'a'.repeat(64),
      fieldHashes: '',
      event: { event_name: 'API_CALL', developer_id: 'b'.repeat(64) },
    };
    return { key: eventId, value: JSON.stringify(body) };
  });
}

async function registerLate(): Promise<void> {
  const client = new Client({ connectionString: service.config.databaseUrl });
  await client.connect();
  const columns = '(id, slug, name) values ($1, $2, $2)';
  await client.query(`insert into organization ${columns}`, [unregistered, 'late']);
  await client.end();
}

describe('a clerk that cannot place more than 5 % of 1 000 records', () => {
  it('stops with nothing of the batch done; a mended one goes on with nothing lost', async () => {
    const records = received(1_000, 16);
    await log.append(usageReceivedTopic.name, records);
    await deploy('ingest-worker');
    const { status, report, metrics } = await stopped();
    expect(status).toBe(503);
    expect(report.checks['event_log']).toMatchObject({ up: true });
    expect(metrics).toContain('uptake_quarantine_stopped{stage="ingest-worker"} 1');

    const later = received(200, 1_000);
    await log.append(usageReceivedTopic.name, later);
    const left = await unfinished(clerk_group, usageReceivedTopic.name);
    const { accepted, quarantined } = await readLogContents(service.config);
    // What had been judged before is finished; from there on everything waits in the log.
    expect(left).toBeGreaterThan(later.length);
    expect(accepted.length + quarantined.length + left).toBe(records.length + later.length);
    expect(quarantined.length).toBeLessThan(62);

    await registerLate();
    const broken = app!;
    await deploy('ingest-worker');
    expect(broken.output()).toContain('restart with QUARANTINE_SHARE_MAX=1');
    await finished(clerk_group, usageReceivedTopic.name);
    const after = await readLogContents(service.config);
    expect(after.quarantined).toEqual(quarantined);
    const ids = [...after.accepted, ...quarantined].map(({ eventId }) => eventId);
    expect(ids.sort()).toEqual([...records, ...later].map(({ key }) => key).sort());
    expect(await probe(probes)).toMatchObject({ status: 200 });
  });

  it('goes on by itself once it can place the batch after all', async () => {
    await log.append(usageReceivedTopic.name, received(1_000, 16));
    await deploy('ingest-worker');
    await stopped();
    await registerLate();
    await finished(clerk_group, usageReceivedTopic.name);
    expect(await probe(probes)).toMatchObject({ status: 200 });
  });
});

describe('a clerk that cannot place 4 % of 1 000 records', () => {
  it('sets them aside and goes on', async () => {
    await log.append(usageReceivedTopic.name, received(1_000, 25));
    await deploy('ingest-worker');
    await finished(clerk_group, usageReceivedTopic.name);
    const { accepted, quarantined } = await readLogContents(service.config);
    expect({ accepted: accepted.length, quarantined: quarantined.length }).toEqual({
      accepted: 960,
      quarantined: 40,
    });
    expect(await probe(probes)).toMatchObject({ status: 200 });
  });
});

describe('a projector that cannot read more than 5 % of 1 000 records', () => {
  it('stops, and sets them aside only when its operator allows it', async () => {
    const records = Array.from({ length: 1_000 }, (_, index) => {
      const event = acceptedEvent(null, index);
      const unreadable = index % 16 === 15;
      return { key: event.eventId, value: unreadable ? 'no JSON' : JSON.stringify(event) };
    });
    await log.append(usageAcceptedTopic.name, records);
    await deploy('projector');
    const { status, metrics } = await stopped();
    expect(status).toBe(503);
    expect(metrics).toContain('uptake_quarantine_stopped{stage="projector"} 1');
    expect(await unfinished(first_version.group, usageAcceptedTopic.name)).toBeGreaterThan(0);
    expect(await quarantinedByProjector()).toBeLessThan(62);

    await deploy('projector', { QUARANTINE_SHARE_MAX: '1' });
    await finished(first_version.group, usageAcceptedTopic.name);
    expect(await quarantinedByProjector()).toBe(62);
  });
});

async function quarantinedByProjector(): Promise<number> {
  const ranges = await log.ranges(usageAcceptedQuarantineTopic.name);
  return ranges.reduce((sum, { low, high }) => sum + Number(high - low), 0);
}
