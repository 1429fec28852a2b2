import type { SentEvent } from './attempt.js';
import type { SeededRandom } from '../support/seeded-random.js';

/** One request: an event alone, or a batch. */
export interface PlannedRequest {
  readonly request: number;
  readonly batch: boolean;
  readonly events: readonly SentEvent[];
}

/** How many changed contents a key may be sent with. */
const changes_max = 3;
const contents_per_key = 10;
const batch_events_max = 40;
/** Keys that were used a moment ago, so that requests meet while they are under way. */
const recent_keys = 60;
const recent_requests = 8;
const kinds = [
  ...Array<'first'>(4).fill('first'),
  ...Array<'repeat'>(3).fill('repeat'),
  ...Array<'changed'>(3).fill('changed'),
  ...Array<'batch'>(6).fill('batch'),
  ...Array<'changed batch'>(2).fill('changed batch'),
  ...Array<'same request'>(2).fill('same request'),
  'invalid batch' as const,
];

/**
 * Decides what the clients send: new keys, repeats, changed contents under known keys, batches
 * that overlap with others, batches with an invalid event, and the same request once more. The
 * keys are `<prefix><number>`, at most `keysMax` of them.
 */
export class RequestPlan {
  private keysUsed = 0;
  private requests = 0;
  private readonly sentLately: PlannedRequest[] = [];

  constructor(
    private readonly prefix: string,
    private readonly keysMax: number,
    private readonly random: SeededRandom,
  ) {}

  next(): PlannedRequest {
    const kind = this.random.pick(kinds);
    switch (kind) {
      case 'first':
        return this.plan(false, [this.original(this.newKey())]);
      case 'repeat':
        return this.plan(false, [this.original(this.knownKey())]);
      case 'changed':
        return this.plan(false, [this.changed(this.knownKey())]);
      case 'batch':
        return this.plan(true, this.mixture());
      case 'changed batch':
        return this.plan(true, this.withOneChanged(this.mixture()));
      case 'invalid batch':
        return this.plan(true, [...this.mixture(), this.invalid()]);
      case 'same request':
        return this.sentLately.length === 0
          ? this.plan(true, this.mixture())
          : this.remember({ ...this.random.pick(this.sentLately), request: this.requests++ });
    }
  }

  /** The events of a request under the same keys, each with another content. */
  rivalOf({ batch, events }: PlannedRequest): PlannedRequest {
    const changed = events
      .filter(({ valid }) => valid)
      .map((event) => ({ ...event, content: otherContent(event.content) }));
    return { request: this.requests++, batch, events: changed };
  }

  private plan(batch: boolean, events: readonly SentEvent[]): PlannedRequest {
    return this.remember({ request: this.requests++, batch, events });
  }

  private remember(request: PlannedRequest): PlannedRequest {
    this.sentLately.push(request);
    if (this.sentLately.length > recent_requests) this.sentLately.shift();
    return request;
  }

  /** New keys and known ones, and now and then one of them twice. */
  private mixture(): SentEvent[] {
    const events = new Map<number, SentEvent>();
    const size = this.random.between(2, batch_events_max - 2);
    for (let count = 0; count < size; count += 1) {
      const key = this.random.below(3) > 0 ? this.newKey() : this.knownKey();
      events.set(key, this.original(key));
    }
    const mixed = [...events.values()];
    return this.random.below(4) > 0 ? mixed : [...mixed, this.random.pick(mixed)];
  }

  private withOneChanged(events: readonly SentEvent[]): SentEvent[] {
    const key = this.knownKey();
    const others = events.filter((event) => event.key !== this.nameOf(key));
    return [...others, this.changed(key)];
  }

  private newKey(): number {
    if (this.keysUsed >= this.keysMax) return this.knownKey();
    this.keysUsed += 1;
    return this.keysUsed - 1;
  }

  private knownKey(): number {
    const known = Math.max(1, this.keysUsed);
    const old = this.random.below(4) === 0;
    return old
      ? this.random.below(known)
      : known - 1 - this.random.below(Math.min(known, recent_keys));
  }

  private original(key: number): SentEvent {
    return { key: this.nameOf(key), content: key * contents_per_key, valid: true };
  }

  private changed(key: number): SentEvent {
    const content = key * contents_per_key + this.random.between(1, changes_max);
    return { key: this.nameOf(key), content, valid: true };
  }

  private invalid(): SentEvent {
    return { ...this.original(this.newKey()), valid: false };
  }

  private nameOf(key: number): string {
    return `${this.prefix}${key}`;
  }
}

/** Of the contents that one key is sent with, the one after this. */
function otherContent(content: number): number {
  const change = content % contents_per_key;
  return content - change + ((change + 1) % (changes_max + 1));
}
