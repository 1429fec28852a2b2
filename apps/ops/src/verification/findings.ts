import type { LogRecord } from '#event-log/event-log.js';
import { verification_limits } from './limits.js';

/** Something that should not be, and where. */
export interface Finding {
  readonly kind: string;
  readonly eventId: string | null;
  /** `topic/partition/offset`, or the table. */
  readonly where: string;
  readonly detail: string;
}

/** Collects what is wrong: all of it counted by kind, the first of it kept. */
export class Findings {
  private readonly counts = new Map<string, number>();
  private readonly kept: Finding[] = [];

  add(kind: string, eventId: string | null, where: string, detail: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (this.kept.length >= verification_limits.findings_listed_max) return;
    this.kept.push({ kind, eventId, where, detail });
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get byKind(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }

  get listed(): readonly Finding[] {
    return this.kept;
  }
}

/** `usage.received.v1/3/120`. */
export function placeOf({
  topic,
  partition,
  offset,
}: Pick<LogRecord, 'topic' | 'partition' | 'offset'>): string {
  return `${topic}/${partition}/${offset}`;
}
