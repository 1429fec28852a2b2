import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claim_group_header } from '#contracts/messages/usage-received.js';
import { usageReceivedTopic } from '#contracts/topics.js';
import { eventIdOf } from '#domain/usage/event-id.js';
import type { EventLog, LogRecord } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { newEvent, trackEvent } from '../support/tracking-events.js';

let service: SpecService;
let ledger: ClaimLedger;
let log: EventLog;

beforeEach(async () => {
  service = await startSpecService();
  const databaseUrl = service.config.databaseUrl!;
  ledger = new ClaimLedger({ databaseUrl, app: 'spec', connectionsMax: 1 });
  log = await openEventLog(service.config, createLogger('spec', 'silent'));
});

afterEach(async () => {
  await ledger.close();
  await log.close();
  await service.stop();
});

const sent = newEvent();
const eventId = () => eventIdOf(service.organizationId, sent.idempotencyKey);
const track = () => trackEvent(service, sent);
const contents = () => readLogContents(service.config);

async function receivedRecords(): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const batch of log.read(usageReceivedTopic.name)) records.push(...batch.records);
  return records;
}

/** Gives the claim up as if it had never been made, whatever group it belongs to. */
const dropClaim = () => ledger.transaction((open) => open.release([eventId()]));

const isClaimed = async () => (await ledger.find([eventId()])).has(eventId());

describe('a record whose claim group is committed', () => {
  it('is accepted without a look at its claim', async () => {
    await track();
    await dropClaim();
    await service.startClerk();
    await eventually(contents, ({ accepted }) => accepted.length === 1);
    expect(await isClaimed()).toBe(false);
  });

  it('holds its id against a record with another content', async () => {
    await track();
    const [first] = await receivedRecords();
    const { key, headers } = first!;
    const body = JSON.parse(Buffer.from(first!.value).toString('utf8')) as Record<string, unknown>;
    const rival = JSON.stringify({ ...body, payloadHash: 'f'.repeat(64) });
    await log.append(usageReceivedTopic.name, [
      { key, value: rival, headers: { ...headers, [claim_group_header]: 'of nobody' } },
    ]);
    await service.startClerk();
    const { accepted, quarantined } = await eventually(
      contents,
      (now) => now.accepted.length + now.quarantined.length === 2,
    );
    expect(accepted).toMatchObject([{ eventId: eventId() }]);
    expect(quarantined).toEqual([{ eventId: eventId(), reason: 'superseded' }]);
  });
});

describe('a record whose claim group the ledger does not name', () => {
  it('is accepted by its claim when the name was forgotten', async () => {
    await track();
    await ledger.forgetGroupsBefore(Date.now() + 60_000);
    await service.startClerk();
    await eventually(contents, ({ accepted }) => accepted.length === 1);
    expect(await isClaimed()).toBe(true);
  });

  it.each(['', 'no group', '018f0000-0000-7000-8000-000000000000'])(
    'is adopted when the name is "%s"',
    async (name) => {
      await track();
      await dropClaim();
      const [first] = await receivedRecords();
      const headers = { ...first!.headers, [claim_group_header]: name };
      await ledger.forgetGroupsBefore(Date.now() + 60_000);
      await log.append(usageReceivedTopic.name, [{ ...first!, headers }]);
      await service.startClerk();
      await eventually(contents, ({ accepted }) => accepted.length === 2);
      expect(await isClaimed()).toBe(true);
    },
  );
});
