import { randomUUID } from 'node:crypto';
import type { LoadPlan } from './load-plan.js';

const event_bytes = 700;
export const developers_max = 1_000_000;
const developer_digits = 6;
const developer_prefix = 'dev-';
const counter_digits = 8;
const time_bytes = '2026-01-01T00:00:00.000Z'.length;
const hex_digits = Buffer.from('0123456789abcdef');
const digit_zero = 48;

let sent = 0;

/** Places of the changing parts within the text of one event. */
interface EventLayout {
  readonly text: string;
  readonly counterAt: number;
  readonly developerAt: number;
  readonly timeAt: number;
}

/**
 * A request that is written once and then changed in place: every event of every sending gets a
 * new idempotency key, a developer drawn at random, and the present time.
 */
export class RequestTemplate {
  readonly bytes: Buffer;
  private readonly layout = eventLayout();
  private readonly firstEventAt: number;
  private readonly events: number;
  private readonly developers: number;

  constructor(plan: LoadPlan) {
    this.events = plan.eventsPerRequest;
    this.developers = plan.developers;
    const body = toBody(this.events, this.layout.text);
    const head = toHead(plan, body.length);
    this.bytes = Buffer.from(head + body, 'latin1');
    this.firstEventAt = head.length + body.indexOf(this.layout.text);
  }

  /** Makes the request a new one. The bytes sent before must have been answered. */
  renew(): void {
    const { bytes, layout, events } = this;
    if (events === 0) return;
    const time = Buffer.from(new Date().toISOString(), 'latin1');
    for (let event = 0; event < events; event += 1) {
      const at = this.firstEventAt + event * (layout.text.length + 1);
      writeCounter(bytes, at + layout.counterAt);
      writeDeveloper(bytes, at + layout.developerAt, this.developers);
      bytes.set(time, at + layout.timeAt);
    }
  }
}

/** The id of a developer by number, below `developers_max`. */
export function developerIdOf(number: number): string {
  return developer_prefix + String(number).padStart(developer_digits, '0');
}

/** The texts of events that differ from each other as those of a request do. */
export function sampleEvents(count: number): readonly string[] {
  const { text } = eventLayout();
  const counterAt = text.indexOf('0'.repeat(counter_digits));
  return Array.from({ length: count }, (_, event) => {
    const counter = event.toString(16).padStart(counter_digits, '0');
    return text.slice(0, counterAt) + counter + text.slice(counterAt + counter_digits);
  });
}

function toBody(events: number, event: string): string {
  if (events === 0) return '';
  if (events === 1) return event;
  return `{"events":[${Array.from({ length: events }, () => event).join(',')}]}`;
}

function toHead({ url, headers, eventsPerRequest }: LoadPlan, bodyBytes: number): string {
  const { pathname, search, host } = new URL(url);
  const body =
    eventsPerRequest === 0
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(bodyBytes) };
  const lines = Object.entries({ host, ...headers, ...body }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const method = eventsPerRequest === 0 ? 'GET' : 'POST';
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function eventLayout(): EventLayout {
  const run = randomUUID().slice(0, -counter_digits);
  const beforeCounter =
    '{"event_name":"FIRST_API_CALL","account_domain":"globex-corp.com",' +
    `"product":{"id":"code-search","name":"Code Search"},"idempotencyKey":"${run}`;
  const beforeDeveloper = `","developer_id":"${developer_prefix}`;
  const beforeTime = '","occurredAt":"';
  const afterTime =
    '","tool":"code_search","toolVersion":"2.14.3","metadata":{"durationMs":184,"success":true,' +
    '"language":"typescript","os":"linux","arch":"x64","ide":"vscode",' +
    '"sessionId":"s-5f2a9c71","filesTouched":3,"tokensIn":1842,"tokensOut":356,"note":"';
  const ending = '"}}';
  const counterAt = beforeCounter.length;
  const developerAt = counterAt + counter_digits + beforeDeveloper.length;
  const timeAt = developerAt + developer_digits + beforeTime.length;
  const noteCharacters = event_bytes - timeAt - time_bytes - afterTime.length - ending.length;
  const text = [
    beforeCounter,
    '0'.repeat(counter_digits),
    beforeDeveloper,
    '0'.repeat(developer_digits),
    beforeTime,
    new Date().toISOString(),
    afterTime,
    'lorem ipsum '.repeat(event_bytes).slice(0, noteCharacters),
    ending,
  ].join('');
  return { text, counterAt, developerAt, timeAt };
}

function writeCounter(bytes: Buffer, at: number): void {
  sent += 1;
  for (let digit = counter_digits - 1, rest = sent; digit >= 0; digit -= 1, rest >>>= 4) {
    bytes[at + digit] = hex_digits[rest & 15]!;
  }
}

function writeDeveloper(bytes: Buffer, at: number, developers: number): void {
  let rest = Math.floor(Math.random() * developers);
  for (let digit = developer_digits - 1; digit >= 0; digit -= 1) {
    bytes[at + digit] = digit_zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
