import { agreementOf, type ClaimAgreement } from '#domain/claims/claim-agreement.js';
import type { LogRecord } from '#event-log/event-log.js';
import type { ListedClaim } from '#postgres/claims/claim-pages.js';
import { placeOf, type Findings } from './findings.js';
import { verification_limits } from './limits.js';
import { readReceived } from './read-received.js';
import type { SetAsideRecords } from './set-aside.js';
import type { Tally } from './verification.js';

/** What is counted of the ledger. */
export type LedgerCount = ClaimAgreement | 'claims' | 'claims_in_log' | 'claims_older_than_log';

interface ClaimTrace {
  readonly payloadHash: string;
  readonly receivedAt: number;
  /** The log holds a record that says the same. */
  inLog: boolean;
}

export interface LedgerEvidence {
  /** Partition → what the clerk has committed. */
  readonly committed: ReadonlyMap<number, bigint>;
  readonly setAside: SetAsideRecords;
  readonly tally: Tally<LedgerCount>;
  readonly findings: Findings;
}

/** The claims of one portion beside the records of their ids. */
export class ClaimedPortion {
  private readonly claims = new Map<string, ClaimTrace>();

  constructor(private readonly evidence: LedgerEvidence) {}

  takeClaims(claims: readonly ListedClaim[]): void {
    this.evidence.tally.add('claims', claims.length);
    for (const { eventId, payloadHash, receivedAt } of claims) {
      this.claims.set(eventId, { payloadHash, receivedAt, inLog: false });
    }
  }

  takeRecord(record: LogRecord): void {
    const { committed, setAside, tally, findings } = this.evidence;
    const reason = setAside.reasonOf(record);
    const message = readReceived(record);
    const claim = this.claims.get(record.key);
    const same = message !== null && claim?.payloadHash === message.claim.payloadHash;
    const agreement = agreementOf({
      superseded: reason === 'superseded',
      readable: message !== null && message.named && reason !== 'unknown_event_name',
      judged: record.offset < (committed.get(record.partition) ?? 0n),
      claim: claim === undefined ? 'none' : same ? 'same' : 'other',
      quarantineExpired: record.appendedAt < setAside.horizon,
    });
    if (agreement === 'unclaimed' || agreement === 'differs') {
      findings.add(agreement, record.key, placeOf(record), why[agreement]);
      return;
    }
    if (agreement === 'agrees') claim!.inLog = true;
    tally.add(agreement);
  }

  /** Decides about the claims once the records of the portion were read. */
  settle(horizon: number): void {
    const { tally, findings } = this.evidence;
    for (const [eventId, { receivedAt, inLog }] of this.claims) {
      if (inLog) tally.add('claims_in_log');
      // Received by one clock, appended by another.
      else if (receivedAt < horizon + verification_limits.clock_skew_ms_max) {
        tally.add('claims_older_than_log');
      } else {
        const since = `claimed ${new Date(receivedAt).toISOString()}`;
        findings.add('not_in_log', eventId, 'idempotency_claim', `${since}; ${why.not_in_log}`);
      }
    }
  }
}

const why = {
  unclaimed: 'judged by the clerk, but no claim holds its id',
  differs: 'judged by the clerk, but the claim on its id has another content',
  not_in_log: 'no record of this content is in the log',
} as const;
