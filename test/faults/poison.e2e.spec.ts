import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usageReceivedTopic } from '#contracts/topics.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
});

afterAll(() => service.stop());

const sound = {
  eventId: '7d1b4f4e-1f0e-5c1c-9d7e-2f9b5d3a0001',
  organizationId: '01890a5d-ac96-774b-bcce-b302099a8057',
  keyId: '01890a5d-ac96-774b-bcce-b302099a8058',
  keyProductId: null,
  idempotencyKey: 'k',
  emailDomain: null,
  receivedAt: '2026-05-22T10:00:00.000Z',
  payloadHash: 'a'.repeat(64),
  fieldHashes: '',
  event: { event_name: 'API_CALL', developer_id: 'b'.repeat(64) },
};

const poison: readonly (readonly [reason: string, body: unknown])[] = [
  ['undecodable', 'no JSON at all'],
  ['undecodable', null],
  ['undecodable', { ...sound, event: { ...sound.event, event_name: 5 } }],
  ['undecodable', { ...sound, event: { event_name: 'API_CALL' } }],
  ['undecodable', { ...sound, fieldHashes: 'A'.repeat(400) }],
  ['undecodable', { ...sound, event: { ...sound.event, occurredAt: 'yesterday' } }],
  ['unknown_event_name', { ...sound, event: { ...sound.event, event_name: 'NO_SUCH_NAME' } }],
  ['unknown_organization', sound],
];

describe('records that the clerk can never accept', () => {
  it('go to the quarantine with their reason, and what follows them flows', async () => {
    const log = await openEventLog(service.config, createLogger('spec', 'silent'));
    const records = poison.map(([, body], index) => ({
      key: `poison-${index}`,
      value: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }));
    await log.append(usageReceivedTopic.name, records);
    await log.close();
    const tracked = await service.post('/api/usage/track', {
      event_name: 'API_CALL',
      developer_id: 'dev-1',
      product: { id: 'code-search' },
      idempotencyKey: 'after the poison',
    });
    await service.startClerk();
    const { accepted, quarantined } = await eventually(
      () => readLogContents(service.config),
      (log) => log.accepted.length === 1 && log.quarantined.length === poison.length,
    );
    expect(accepted.map(({ eventId }) => eventId)).toEqual([tracked.body['eventId']]);
    const byKey = new Map(quarantined.map(({ eventId, reason }) => [eventId, reason]));
    expect(poison.map((_entry, index) => byKey.get(`poison-${index}`))).toEqual(
      poison.map(([reason]) => reason),
    );
  });
});
