import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ClaimVerdict } from '#domain/claims/judge-claims.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import { ClaimGroupCommit } from './claim-group-commit.js';
import { prepareEvent, type PreparedEvent, type RefusedEvent } from './prepare-event.js';
import { ReceptionDesk } from './reception-desk.js';

/** What became of one event that could be prepared. */
export interface JudgedEvent {
  readonly prepared: PreparedEvent;
  readonly verdict: ClaimVerdict;
}

/**
 * `refused`: at least one event is not valid, nothing was stored. `conflict`: at least one event
 * changed under its key, nothing was stored. `tracked`: every event is stored or was before.
 */
export type TrackOutcome =
  | { readonly kind: 'refused'; readonly events: readonly (PreparedEvent | RefusedEvent)[] }
  | { readonly kind: 'conflict'; readonly events: readonly JudgedEvent[] }
  | { readonly kind: 'tracked'; readonly events: readonly JudgedEvent[] };

/** Store events, all or none of them. One event is a batch of one. */
export class TrackEvents extends Command<TrackOutcome> {
  constructor(
    readonly principal: TrackingPrincipal,
    readonly events: readonly unknown[],
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
  ) {}

  async execute({ principal, events, traceparent }: TrackEvents): Promise<TrackOutcome> {
    const reception = await this.desk.receive(principal, { storing: true, traceparent });
    const prepared: PreparedEvent[] = [];
    const examined = events.map((sent) => {
      const event = prepareEvent(sent, reception);
      if (event.kind === 'prepared') prepared.push(event);
      return event;
    });
    if (prepared.length < examined.length) return { kind: 'refused', events: examined };
    const verdicts = await this.groups.store({ strict: true, events: prepared });
    const judged = prepared.map((event, index) => ({
      prepared: event,
      verdict: verdicts[index]!,
    }));
    const conflict = verdicts.some(({ kind }) => kind === 'conflict');
    return { kind: conflict ? 'conflict' : 'tracked', events: judged };
  }
}
