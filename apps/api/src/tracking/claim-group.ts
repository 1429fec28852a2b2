import { toCloudEventHeaders } from '#contracts/messages/cloud-event.js';
import { claim_group_header, usage_received_type } from '#contracts/messages/usage-received.js';
import { usageReceivedTopic } from '#contracts/topics.js';
import type { Claim } from '#domain/claims/claim.js';
import {
  allNew,
  judgeClaims,
  type ClaimJudgement,
  type ClaimVerdict,
} from '#domain/claims/judge-claims.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { LogUnavailableError, type EventLog, type LogRecordInput } from '#event-log/event-log.js';
import type { ClaimLedger, ClaimTransaction } from '#postgres/claims/claim-ledger.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { countClaims, measureAppend } from '#runtime/metrics.js';
import type { AppendBreaker } from './append-breaker.js';

/** One request's events on their way into the log. */
export interface StoreRequest {
  readonly strict: boolean;
  readonly events: readonly StorableEvent[];
}

export interface StorableEvent {
  readonly claim: Claim;
  /** JSON body of `usage.received.v1`. */
  readonly body: LogRecordInput['value'];
  /** When its request came, ISO 8601. */
  readonly receivedAtText: string;
  readonly traceparent: string | null;
}

export interface ClaimGroupStores {
  readonly ledger: ClaimLedger;
  readonly log: EventLog;
  readonly appendDeadlineMs: number;
  readonly breaker: AppendBreaker;
}

/**
 * Stores the events of several requests in one transaction and answers with their verdicts.
 *
 * The order of effects, and what each step survives:
 * 1. claim every id, and name the group: a crash here leaves nothing, Postgres rolls back;
 * 2. append the winners, each with the id of the group, and wait until the log has them: a crash or
 *    an unknown outcome leaves records without a claim, which the clerk adopts or supersedes;
 * 3. commit: from here on the same key is a duplicate, and its event is in the log (I1). The clerk
 *    that finds the group in the ledger need not ask for the claims of its records.
 * Nobody is answered before step 3 is done (I2).
 */
export async function storeClaimGroup(
  requests: readonly StoreRequest[],
  stores: ClaimGroupStores,
): Promise<readonly (readonly ClaimVerdict[])[]> {
  const groupId = uuidv7();
  const verdicts = await stores.ledger.transaction(async (open) => {
    const judgement = await claim(requests, groupId, open);
    if (judgement.winners.length > 0) {
      await reachFaultPoint('before_append');
      await append(recordsOf(requests, judgement, groupId), stores);
      await reachFaultPoint('after_append_before_commit');
    }
    return judgement.verdicts;
  });
  await reachFaultPoint('after_commit_before_answer');
  countClaims(verdicts);
  return verdicts;
}

async function claim(
  requests: readonly StoreRequest[],
  groupId: string,
  open: ClaimTransaction,
): Promise<ClaimJudgement> {
  const offered = new Map<string, Claim>();
  for (const { events } of requests) {
    for (const { claim } of events) {
      if (!offered.has(claim.eventId)) offered.set(claim.eventId, claim);
    }
  }
  const stored = await open.insert([...offered.values()], groupId);
  const asked = requests.map(({ strict, events }) => ({
    strict,
    claims: events.map((event) => event.claim),
  }));
  const events = asked.reduce((sum, { claims }) => sum + claims.length, 0);
  if (stored.size === 0 && offered.size === events) return allNew(asked);
  const judgement = judgeClaims(asked, stored);
  await reconcile(offered, stored, judgement, open);
  return judgement;
}

// The first offer of each id was inserted before anything was judged. Where a refused batch made
// that offer, its row goes, and a later request that turned out to be the first takes its place.
async function reconcile(
  offered: ReadonlyMap<string, Claim>,
  stored: ReadonlyMap<string, Claim>,
  judgement: ClaimJudgement,
  open: ClaimTransaction,
): Promise<void> {
  const winners = new Map(judgement.winners.map((winner) => [winner.eventId, winner]));
  const wrong = [...offered.values()].filter(
    (claim) => !stored.has(claim.eventId) && winners.get(claim.eventId) !== claim,
  );
  if (wrong.length === 0) return;
  await open.release(wrong.map(({ eventId }) => eventId));
  const replacements = wrong.flatMap(({ eventId }) => winners.get(eventId) ?? []);
  if (replacements.length > 0) await open.insert(replacements);
}

function recordsOf(
  requests: readonly StoreRequest[],
  { winners }: ClaimJudgement,
  groupId: string,
): readonly LogRecordInput[] {
  const chosen = new Set<Claim>(winners);
  return requests.flatMap(({ events }) =>
    events.filter(({ claim }) => chosen.has(claim)).map((event) => toRecord(event, groupId)),
  );
}

function toRecord(event: StorableEvent, groupId: string): LogRecordInput {
  const { eventId } = event.claim;
  const headers = toCloudEventHeaders({
    id: eventId,
    type: usage_received_type,
    source: '/api',
    time: event.receivedAtText,
    traceparent: event.traceparent,
  });
  headers[claim_group_header] = groupId;
  return { key: eventId, value: event.body, headers };
}

async function append(
  records: readonly LogRecordInput[],
  { log, appendDeadlineMs, breaker }: ClaimGroupStores,
): Promise<void> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), appendDeadlineMs);
  const late = new Promise<never>((_resolve, reject) => {
    deadline.signal.addEventListener('abort', () => {
      reject(new LogUnavailableError(`no answer within ${appendDeadlineMs} ms`, true));
    });
  });
  try {
    const sent = log.append(usageReceivedTopic.name, records, { signal: deadline.signal });
    await measureAppend(() => Promise.race([sent, late]));
    breaker.succeeded();
  } catch (error) {
    if (error instanceof LogUnavailableError) breaker.failed(Date.now());
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
