import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { judgeAgain, type ClaimVerdict } from '#domain/claims/judge-claims.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import { directoryUnreadable } from '../credentials/directory-unreadable.js';
import { ClaimGroupCommit } from './claim-group-commit.js';
import { ClaimLookups } from './claim-lookups.js';
import {
  prepareEvent,
  type ExaminedEvent,
  type IgnoredEvent,
  type ValidEvent,
} from './prepare-event.js';
import { ReceptionDesk } from './reception-desk.js';
import type { RefusedEvent } from './write-down.js';

/** `strict`: all events or none. `lenient`: each on its own. */
export type Handling = 'strict' | 'lenient';

type VerdictOf<Kind extends ClaimVerdict['kind']> = Extract<ClaimVerdict, { kind: Kind }>;

/** What became of one event. `withheld`: valid, but its strict batch was refused. */
export type TrackedItem =
  | {
      readonly kind: 'tracked';
      readonly event: ValidEvent;
      readonly verdict: VerdictOf<'new' | 'duplicate'>;
    }
  | {
      readonly kind: 'conflict';
      readonly event: ValidEvent;
      readonly verdict: VerdictOf<'conflict'>;
    }
  | IgnoredEvent
  | RefusedEvent
  | { readonly kind: 'withheld' };

/** Store events. One event is a batch of one. */
export class TrackEvents extends Command<readonly TrackedItem[]> {
  constructor(
    readonly principal: TrackingPrincipal,
    readonly events: readonly unknown[],
    readonly handling: Handling,
    readonly traceparent: string | null,
  ) {
    super();
  }
}

@CommandHandler(TrackEvents)
export class TrackEventsHandler implements ICommandHandler<TrackEvents> {
  constructor(
    private readonly desk: ReceptionDesk,
    private readonly groups: ClaimGroupCommit,
    private readonly lookups: ClaimLookups,
  ) {}

  async execute(command: TrackEvents): Promise<readonly TrackedItem[]> {
    const { principal, traceparent } = command;
    const request = { events: command.events.length, storing: true, traceparent };
    const reception = await this.desk.receive(principal, request);
    const examined = command.events.map((sent) => prepareEvent(sent, reception));
    const items = await this.store(examined, command.handling === 'strict');
    // Only now: a store that failed may still be reading.
    reception.arena?.release();
    return items;
  }

  // Knows nothing of what was sent, so that the parsed events go before the stores answer.
  private async store(
    examined: readonly ExaminedEvent[],
    strict: boolean,
  ): Promise<readonly TrackedItem[]> {
    if (strict && examined.some(({ kind }) => kind === 'refused')) return withheld(examined);
    const ignored = examined.filter(mayBeStored);
    if (ignored.length === 0) return this.storeSettled(examined, strict);
    const settled = this.settleIgnored(examined, ignored);
    return this.groups.inTime(settled.then((items) => this.storeSettled(items, strict)));
  }

  private async storeSettled(
    settled: readonly (ExaminedEvent | TrackedItem)[],
    strict: boolean,
  ): Promise<readonly TrackedItem[]> {
    if (strict && settled.some(({ kind }) => kind === 'conflict')) return withheld(settled);
    const prepared = settled.filter((item) => item.kind === 'prepared');
    const verdicts =
      prepared.length === 0 ? [] : await this.groups.store({ strict, events: prepared });
    let next = 0;
    return settled.map((item) =>
      item.kind === 'prepared' ? toItem(item, verdicts[next++]!) : item,
    );
  }

  // A policy takes no promise back: what was stored before it stays a duplicate or a conflict.
  private async settleIgnored(
    examined: readonly ExaminedEvent[],
    ignored: readonly IgnoredEvent[],
  ): Promise<readonly (ExaminedEvent | TrackedItem)[]> {
    const held = await this.lookups
      .find(ignored.map(({ claim }) => claim.eventId))
      .catch(directoryUnreadable);
    return examined.map((event) => {
      const first = event.kind === 'ignored' ? held.get(event.claim.eventId) : undefined;
      if (event.kind !== 'ignored' || first === undefined) return event;
      return toItem(event, judgeAgain(event.claim, first));
    });
  }
}

/** Whether an event that a policy ignores by now can have been stored before. */
function mayBeStored(event: ExaminedEvent): event is IgnoredEvent {
  return event.kind === 'ignored' && event.repeatable;
}

function withheld(items: readonly (ExaminedEvent | TrackedItem)[]): readonly TrackedItem[] {
  return items.map((item) => (item.kind === 'prepared' ? { kind: 'withheld' } : item));
}

function toItem(event: ValidEvent, verdict: ClaimVerdict): TrackedItem {
  switch (verdict.kind) {
    case 'new':
    case 'duplicate':
      return { kind: 'tracked', event, verdict };
    case 'conflict':
      return { kind: 'conflict', event, verdict };
    case 'withheld':
      return { kind: 'withheld' };
  }
}
