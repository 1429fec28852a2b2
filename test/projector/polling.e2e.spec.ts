import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startSpecService, type Answer, type SpecService } from '../support/service.js';
import { newEvent } from '../support/tracking-events.js';

const polls = 1_000;
const pollers = 8;
const batch_events = 200;
const developers = 60;
const accounts = 12;

let service: SpecService;

/** A batch of new events of developers enough to be published. */
function batchOf(round: number, firstDeveloper: number): { readonly events: object[] } {
  const events = Array.from({ length: batch_events }, (_, index) => {
    const developer = firstDeveloper + (index % developers);
    return newEvent({
      idempotencyKey: `poll-${round}-${index}`,
      developer_id: `developer-${developer}`,
      account_domain: `account-${developer % accounts}.example`,
    });
  });
  return { events };
}

/** Publishes, and waits until the new epoch is served. */
async function nextPage(): Promise<Answer['body']> {
  const epoch = await service.publish();
  const read = async () => (await service.get('/api/v1/adoption')).body;
  return eventually(read, (body) => body['epoch'] === epoch);
}

const statusOf = (body: Answer['body']) =>
  (body['rows'] as readonly { readonly status: string }[])[0]?.status;

beforeAll(async () => {
  service = await startSpecService({ RATE_LIMIT_PUBLIC_READ: '100000/60' });
  await service.startClerk();
  await service.startProjector();
  const answer = await service.post('/api/usage/track/batch', batchOf(0, 0));
  expect(answer.status).toBe(200);
});
afterAll(() => service.stop());

describe('polling within one epoch, while events stream in', () => {
  it('gets the same bytes under the same tag a thousand times', async () => {
    await eventually(nextPage, (body) => statusOf(body) === 'published');
    const seen = new Set<string>();
    let left = polls;
    let sent = 0;
    const poll = async () => {
      while (left > 0) {
        left -= 1;
        const answer = await fetch(`${service.baseUrl}/api/v1/adoption`);
        seen.add(`${answer.status} ${answer.headers.get('etag')} ${await answer.text()}`);
      }
    };
    const stream = async () => {
      for (let round = 1; left > 0; round += 1) {
        const answer = await service.post('/api/usage/track/batch', batchOf(round, round * 7));
        expect(answer.status).toBe(200);
        sent += batch_events;
      }
    };
    await Promise.all([stream(), ...Array.from({ length: pollers }, poll)]);
    expect(sent).toBeGreaterThan(batch_events);
    expect(seen.size).toBe(1);
    expect([...seen][0]).toContain('"status":"published"');
  });

  it('gets other bytes under another tag from the next epoch on', async () => {
    const before = (await fetch(`${service.baseUrl}/api/v1/adoption`)).headers.get('etag');
    await nextPage();
    const after = await fetch(`${service.baseUrl}/api/v1/adoption`);
    expect(after.headers.get('etag')).not.toBe(before);
  });
});
