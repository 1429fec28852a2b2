import type { ContractAnswer } from '../contract-answer.js';
import type { ContractRow } from '../contract-row.js';
import { ignored_event_name, newEvent } from '../contract-services.js';
import { doorRows } from './door-rows.js';
import { event_faults } from './event-faults.js';
import { send } from './send.js';
import { whileAppendsHang } from '../store-trouble.js';

const track = '/api/usage/track';
const batch = '/api/usage/track/batch';
const dry_run = '/api/usage/track/dry-run';

const one = (event: object): object => event;
const many = (event: object): object => ({ events: [event] });

interface TrackingAddress {
  readonly path: string;
  /** The body that carries one event. */
  readonly bodyOf: (event: object) => object;
}

const storing: readonly TrackingAddress[] = [
  { path: track, bodyOf: one },
  { path: batch, bodyOf: many },
];
const all = [...storing, { path: dry_run, bodyOf: one }];

const post = (path: string) => `POST ${path}`;

function eventRows({ path, bodyOf }: TrackingAddress): readonly ContractRow[] {
  const endpoint = post(path);
  return [
    {
      endpoint,
      status: 200,
      code: null,
      when: 'a new event',
      ask: (services) => send(services.plain, path, bodyOf(newEvent())),
    },
    {
      endpoint,
      status: 202,
      code: null,
      when: 'an event that a policy of the product ignores',
      ask: ({ plain }) =>
        send(plain, path, bodyOf({ ...newEvent(), event_name: ignored_event_name })),
    },
    ...event_faults.map(({ code, when, event }): ContractRow => ({
      endpoint,
      status: 400,
      code,
      when,
      ask: ({ plain }) => send(plain, path, bodyOf(event())),
    })),
    {
      endpoint,
      status: 400,
      code: 'invalid_json',
      when: 'half an object',
      ask: ({ plain }) => send(plain, path, '{"event_name":'),
    },
    {
      endpoint,
      status: 400,
      code: 'invalid_body',
      when: 'an array',
      ask: ({ plain }) => send(plain, path, []),
    },
  ];
}

function storingRows({ path, bodyOf }: TrackingAddress): readonly ContractRow[] {
  const endpoint = post(path);
  return [
    {
      endpoint,
      status: 200,
      code: null,
      when: 'the same event again',
      ask: async ({ plain }) => {
        const body = bodyOf(newEvent());
        await send(plain, path, body);
        return send(plain, path, body);
      },
    },
    {
      endpoint,
      status: 400,
      code: 'missing_idempotency_key',
      when: 'an organization key without idempotency key',
      ask: ({ plain }) => {
        const event = { ...newEvent(), idempotencyKey: undefined };
        return send(plain, path, bodyOf(event));
      },
    },
    {
      endpoint,
      status: 409,
      code: 'idempotency_conflict',
      when: 'a changed event under the same key',
      ask: async ({ plain }) => {
        const event = newEvent();
        await send(plain, path, bodyOf(event));
        return send(plain, path, bodyOf({ ...event, latency_ms: 7 }));
      },
    },
    {
      endpoint,
      status: 503,
      code: 'store_uncertain',
      when: 'the log does not acknowledge in time',
      ask: ({ plain, cutOff }): Promise<ContractAnswer> =>
        whileAppendsHang(plain.config.databaseUrl!, () =>
          send(plain, path, bodyOf(newEvent()), {}, cutOff),
        ),
    },
  ];
}

const batch_rows: readonly ContractRow[] = [
  {
    endpoint: post(batch),
    status: 200,
    code: null,
    when: 'one event a line',
    ask: ({ plain }) => {
      const lines = `${JSON.stringify(newEvent())}\n${JSON.stringify(newEvent())}\n`;
      return send(plain, batch, lines, { 'content-type': 'application/x-ndjson' });
    },
  },
  {
    endpoint: post(batch),
    status: 207,
    code: null,
    when: 'lenient, and one of two events is not valid',
    ask: ({ plain }) => {
      const events = [newEvent(), { ...newEvent(), latency_ms: -1 }];
      return send(plain, batch, { events }, { prefer: 'handling=lenient' });
    },
  },
  {
    endpoint: post(batch),
    status: 400,
    code: 'empty_batch',
    when: 'no event',
    ask: ({ plain }) => send(plain, batch, { events: [] }),
  },
  {
    endpoint: post(batch),
    status: 400,
    code: 'batch_too_large',
    when: 'one event more than the maximum',
    ask: ({ plain, narrow }) =>
      send(plain, batch, { events: [newEvent(), newEvent()] }, {}, narrow),
  },
];

/** Specification 4.8. */
export const tracking_rows: readonly ContractRow[] = [
  ...all.flatMap((address) => [...eventRows(address), ...doorRows(address)]),
  ...storing.flatMap(storingRows),
  ...batch_rows,
];
