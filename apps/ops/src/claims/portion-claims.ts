import { provenClaim, type LoggedClaim, type ProvenClaim } from '#domain/claims/claim-holder.js';
import type { LogRecord } from '#event-log/event-log.js';
import { readAccepted } from '../verification/read-accepted.js';
import { readReceived } from '../verification/read-received.js';
import type { SetAsideRecords } from '../verification/set-aside.js';

/** What the log proves about the claims of one portion of the ids. */
export interface ProvenPortion {
  /** In the order of their ids, which is the one in which every writer claims. */
  readonly proven: readonly ProvenClaim[];
  readonly records: number;
  /** Records that say nothing of a claim. */
  readonly unreadable: number;
}

/** Reasons of the clerk for which it did not look at the claim. */
const unread_reasons: ReadonlySet<string> = new Set(['undecodable', 'unknown_event_name']);

/** Collects what the log says about the ids of one portion. */
export class PortionClaims {
  /** Event id → time of receipt in the first accepted copy, which is that of the claim. */
  private readonly acceptedAt = new Map<string, number>();
  private readonly logged = new Map<string, LoggedClaim[]>();
  private records = 0;
  private unreadable = 0;

  takeAccepted(record: LogRecord): void {
    if (this.acceptedAt.has(record.key)) return;
    const message = readAccepted(record);
    if (message?.eventId === record.key) this.acceptedAt.set(record.key, message.receivedAt);
  }

  takeReceived(record: LogRecord, setAside: SetAsideRecords): void {
    this.records += 1;
    const message = readReceived(record);
    // The door writes the event id as the key; whatever else is there is none of its claims.
    if (message === null || message.claim.eventId !== record.key) {
      this.unreadable += 1;
      return;
    }
    const reason = setAside.reasonOf(record);
    const unnamed = !message.named || (reason !== null && unread_reasons.has(reason));
    const standing = reason === 'superseded' ? reason : unnamed ? 'unnamed' : 'stands';
    const known = this.logged.get(record.key);
    const claim = { claim: message.claim, standing } as const;
    if (known === undefined) this.logged.set(record.key, [claim]);
    else known.push(claim);
  }

  prove(): ProvenPortion {
    const ids = [...this.logged.keys()].sort();
    const proven = ids.flatMap((id) => {
      const claim = provenClaim(this.logged.get(id)!, this.acceptedAt.get(id) ?? null);
      return claim === null ? [] : [claim];
    });
    return { proven, records: this.records, unreadable: this.unreadable };
  }
}
