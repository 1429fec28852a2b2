import { toCloudEventHeaders } from '#contracts/messages/cloud-event.js';
import { usage_accepted_type } from '#contracts/messages/usage-accepted.js';
import { usageAcceptedTopic, usageReceivedQuarantineTopic } from '#contracts/topics.js';
import { sameContent, type Claim } from '#domain/claims/claim.js';
import type { EventLog, LogBatch, LogRecord, LogRecordInput } from '#event-log/event-log.js';
import { Quarantine, type SetAside } from '#event-log/quarantine.js';
import type { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import type { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import type { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import type { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { Logger } from '#runtime/logger.js';
import { observeDelay } from '#runtime/metrics.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { Gathering, type GatheringLimits } from '#runtime/gathering.js';
import { fromReceivedRecord, type ReceivedEvent } from './decode-received.js';
import { identifyDevelopers } from './identify-developers.js';
import { AcceptedMappings, type AcceptedEvent } from './map-accepted.js';

export interface ClerkLimits extends GatheringLimits {
  /** Largest share of the last 1 000 records that may be quarantined; above it the clerk stops. */
  readonly quarantineShareMax: number;
}

export interface ClerkStores {
  readonly log: EventLog;
  readonly ledger: ClaimLedger;
  readonly identities: IdentityRegistry;
  readonly erasures: ErasureLedger;
  readonly directories: MappingDirectories;
  readonly logger: Logger;
}

/**
 * The clerk: judges received events and passes them on.
 *
 * The order of effects, and what each step survives:
 * 1. adopt: claim the ids that have no claim yet (their request failed after the append), which
 *    waits for claims still open; a crash here leaves claims whose events are in the log (I1).
 *    Records of a claim group that is committed have their claims;
 * 2. leave out what belongs to erased developers: it is neither passed on nor set aside;
 * 3. append to quarantine what can never be accepted, then the rest to `usage.accepted`; a crash
 *    between or after them delivers the batch again, and readers collapse the copies by event id.
 *    When that would be too much (a broken deploy), neither is done and the batch comes again;
 * 4. return, which lets the log commit the offset (I3).
 * Whatever throws (Postgres or the log is away) is delivered again; it is never quarantined.
 */
export class AcceptUsage {
  private readonly gathering: Gathering<LogBatch>;
  readonly quarantine: Quarantine;

  constructor(
    private readonly stores: ClerkStores,
    limits: ClerkLimits,
  ) {
    const terms = {
      topic: usageReceivedQuarantineTopic.name,
      stage: 'ingest-worker',
      shareMax: limits.quarantineShareMax,
    } as const;
    this.quarantine = new Quarantine(stores.log, terms, stores.logger);
    this.gathering = new Gathering(
      limits,
      ({ records }) => records.length,
      (batches) => this.accept(batches.flatMap(({ records }) => records)),
    );
  }

  /** Resolves when every record of the batch was accepted or set aside. */
  handle(batch: LogBatch): Promise<void> {
    return this.gathering.add(batch);
  }

  private async accept(records: readonly LogRecord[]): Promise<void> {
    const setAside: SetAside[] = [];
    const received: ReceivedEvent[] = [];
    for (const record of records) {
      const event = fromReceivedRecord(record);
      if (event.kind === 'received') received.push(event);
      else setAside.push(event);
    }
    const standing = await this.adopt(received, setAside);
    await reachFaultPoint('clerk_after_adopt');
    const accepted = await this.map(standing, setAside);
    await this.setAside(records, setAside);
    if (accepted.length > 0) await this.stores.log.append(usageAcceptedTopic.name, accepted);
    await reachFaultPoint('clerk_after_accept');
    if (received.length > 0) observeDelay('accepted', Date.now() - oldestOf(received));
  }

  /**
   * The events whose claim stands, each with the claim that holds its id: a record of a retry
   * counts as what the first request said, its time of receipt included.
   */
  private async adopt(
    received: readonly ReceivedEvent[],
    setAside: SetAside[],
  ): Promise<readonly ReceivedEvent[]> {
    if (received.length === 0) return received;
    const holders = await this.holdersOf(received);
    const standing: ReceivedEvent[] = [];
    for (const event of received) {
      const { eventId, receivedAt } = event.claim;
      const holder = holders.get(eventId)!;
      if (!sameContent(holder, event.claim)) {
        setAside.push({ record: event.record, reason: 'superseded' });
      } else if (holder.receivedAt === receivedAt) standing.push(event);
      else standing.push({ ...event, claim: holder });
    }
    return standing;
  }

  /**
   * The claims that hold the ids. A record whose claim group is committed is the one that won its
   * id, which is so for nearly all; the ledger is asked for the others.
   */
  private async holdersOf(received: readonly ReceivedEvent[]): Promise<ReadonlyMap<string, Claim>> {
    const groups = new Set(received.flatMap(({ claimGroup }) => claimGroup ?? []));
    const committed = await this.stores.ledger.committedGroups([...groups]);
    const holders = new Map<string, Claim>();
    for (const { claim, claimGroup } of received) {
      if (claimGroup !== null && committed.has(claimGroup)) holders.set(claim.eventId, claim);
    }
    const offered = new Map<string, Claim>();
    for (const { claim } of received) {
      const { eventId } = claim;
      if (!holders.has(eventId) && !offered.has(eventId)) offered.set(eventId, claim);
    }
    if (offered.size === 0) return holders;
    return new Map([...holders, ...offered, ...(await this.claimsOf(offered))]);
  }

  /**
   * The claims that hold an id otherwise than offered. What the ledger has as it is offered is only
   * compared. For what is not in it, the transaction waits until it is known whether the request
   * holds it.
   */
  private async claimsOf(offered: ReadonlyMap<string, Claim>): Promise<ReadonlyMap<string, Claim>> {
    const { ledger } = this.stores;
    const { free, held } = await ledger.compare([...offered.values()]);
    if (free.size === 0) return held;
    const missing = [...free].map((eventId) => offered.get(eventId)!);
    const open = await ledger.transaction((transaction) => transaction.insert(missing));
    return new Map([...held, ...open]);
  }

  private async map(
    events: readonly ReceivedEvent[],
    setAside: SetAside[],
  ): Promise<readonly LogRecordInput[]> {
    const { identities, erasures } = this.stores;
    const identified = await identifyDevelopers(identities, erasures, events);
    const mappings = await this.mappingsOf(events);
    const records: LogRecordInput[] = [];
    for (const { event, devKey } of identified) {
      const known = mappings.get(event.message.organizationId);
      if (known === undefined) {
        setAside.push({ record: event.record, reason: 'unknown_organization' });
        continue;
      }
      records.push(toAcceptedRecord(known.toAccepted(event, devKey), event.record));
    }
    return records;
  }

  /** By organization; unknown ones are missing. */
  private async mappingsOf(
    events: readonly ReceivedEvent[],
  ): Promise<ReadonlyMap<string, AcceptedMappings>> {
    const { directories } = this.stores;
    // What was registered before an event was received counts for it, for good.
    await directories.refresh();
    const organizations = new Set(events.map(({ message }) => message.organizationId));
    const mappings = new Map<string, AcceptedMappings>();
    for (const organizationId of organizations) {
      const directory = await directories.get(organizationId);
      if (directory !== null) mappings.set(organizationId, new AcceptedMappings(directory));
    }
    return mappings;
  }

  private async setAside(
    judged: readonly LogRecord[],
    setAside: readonly SetAside[],
  ): Promise<void> {
    const added = await this.quarantine.settle(judged, setAside);
    if (added === 0) return;
    const reasons = [...new Set(setAside.map(({ reason }) => reason))];
    this.stores.logger.warn({ records: added, reasons }, 'records were quarantined');
  }
}

function toAcceptedRecord(accepted: AcceptedEvent, received: LogRecord): LogRecordInput {
  return {
    key: accepted.eventId,
    value: accepted.body,
    headers: toCloudEventHeaders({
      id: accepted.eventId,
      type: usage_accepted_type,
      source: '/ingest-worker',
      time: accepted.receivedAt,
      traceparent: received.headers['traceparent'] ?? null,
    }),
  };
}

function oldestOf(events: readonly ReceivedEvent[]): number {
  return events.reduce((oldest, { claim }) => Math.min(oldest, claim.receivedAt), Infinity);
}
