import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { judgeAgain } from '#domain/claims/judge-claims.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import { directoryUnreadable } from '../credentials/directory-unreadable.js';
import { prepareEvent, type IgnoredEvent, type ValidEvent } from './prepare-event.js';
import { ReceptionDesk } from './reception-desk.js';
import type { RefusedEvent } from './write-down.js';

/** `idempotency`: what storing the event now would find under its key. */
export type DryRunOutcome =
  | RefusedEvent
  | IgnoredEvent
  | {
      readonly kind: 'accepted';
      readonly event: ValidEvent;
      readonly idempotency: 'new' | 'duplicate' | 'conflict' | 'none';
    };

/** Say what tracking an event would do, without storing anything. */
export class DryRunEvent extends Query<DryRunOutcome> {
  constructor(
    readonly principal: TrackingPrincipal,
    readonly event: unknown,
  ) {
    super();
  }
}

@QueryHandler(DryRunEvent)
export class DryRunEventHandler implements IQueryHandler<DryRunEvent> {
  constructor(
    private readonly desk: ReceptionDesk,
    private readonly ledger: ClaimLedger,
  ) {}

  async execute({ principal, event: sent }: DryRunEvent): Promise<DryRunOutcome> {
    const reception = await this.desk.receive(principal, {
      events: 1,
      storing: false,
      traceparent: null,
    });
    const event = prepareEvent(sent, reception);
    if (event.kind === 'refused') return event;
    const unheld = (idempotency: 'new' | 'none') =>
      event.kind === 'ignored' ? event : ({ kind: 'accepted', event, idempotency } as const);
    if (!event.repeatable) return unheld('none');
    const { eventId } = event.claim;
    const stored = await this.ledger.find([eventId]).catch(directoryUnreadable);
    const first = stored.get(eventId);
    if (first === undefined) return unheld('new');
    return { kind: 'accepted', event, idempotency: judgeAgain(event.claim, first).kind };
  }
}
