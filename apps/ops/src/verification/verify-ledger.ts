import { usageReceivedQuarantineTopic, usageReceivedTopic } from '#contracts/topics.js';
import { claim_agreements } from '#domain/claims/claim-agreement.js';
import type { EventLog } from '#event-log/event-log.js';
import { partitionOf } from '#event-log/partitioner.js';
import { ClaimPages } from '#postgres/claims/claim-pages.js';
import type { Database } from '#postgres/database.js';
import { captureTopic, committedOf } from './captured-topic.js';
import { ClaimedPortion, type LedgerCount } from './claimed-portion.js';
import { clerk_group } from './consumers.js';
import { verification_limits } from './limits.js';
import { firstPrefixOf, type Portion } from './portions.js';
import { scan } from './scan.js';
import { SetAsideRecords } from './set-aside.js';
import {
  Tally,
  toReport,
  walkLog,
  type StartProgress,
  type VerificationReport,
} from './verification.js';

/**
 * Proves that claims and log agree: a committed claim has its event in the log (I1), with the same
 * content, and what the clerk has judged has its claim (without one, I3 would rest on nothing).
 *
 * The order that makes a difference a proof while the service runs: the clerk's commits first (what
 * it judged has its claim by then), then the claims of a portion, then where the log ends (an event
 * is in it before its claim is committed).
 */
export async function verifyLedger(
  log: EventLog,
  database: Database,
  startProgress: StartProgress,
): Promise<VerificationReport> {
  const committed = await committedOf(log, clerk_group, usageReceivedTopic.name);
  const pages = new ClaimPages(database, verification_limits.claims_page_max);
  const received = await captureTopic(log, usageReceivedTopic);
  const quarantine = await captureTopic(log, usageReceivedQuarantineTopic);
  const topics = { keyed: [received], beside: [quarantine] };
  return walkLog(log, topics, startProgress, async (walk) => {
    const tally = new Tally<LedgerCount>([...claim_agreements, ...claim_counts]);
    const partitions = received.ranges.length;
    for (const portion of walk.portions) {
      const setAside = new SetAsideRecords(received.name);
      const look = new ClaimedPortion({ committed, setAside, tally, findings: walk.findings });
      for await (const page of claimsOf(pages, portion)) {
        look.takeClaims(
          page.filter(({ eventId }) =>
            portion.partitions.includes(partitionOf(eventId, partitions)),
          ),
        );
      }
      await setAside.read(
        walk.scanOf(await captureTopic(log, usageReceivedQuarantineTopic), portion),
      );
      const newest = await captureTopic(log, usageReceivedTopic);
      const horizon = await scan(walk.scanOf(newest, portion), (record) => look.takeRecord(record));
      look.settle(horizon);
    }
    return toReport(walk.findings, tally.counts, statementOf(tally.counts));
  });
}

const claim_counts = ['claims', 'claims_in_log', 'claims_older_than_log'] as const;

function claimsOf(pages: ClaimPages, { slice, slices }: Portion) {
  const idFrom = (prefix: string) => `${prefix}-0000-0000-0000-000000000000`;
  const to = firstPrefixOf(slice + 1, slices);
  return pages.between(idFrom(firstPrefixOf(slice, slices)!), to === null ? null : idFrom(to));
}

function statementOf(counts: Readonly<Record<LedgerCount, number>>): string[] {
  const { claims, claims_in_log, claims_older_than_log } = counts;
  const records = claim_agreements
    .map((agreement) => `${counts[agreement]} ${agreement.replaceAll('_', ' ')}`)
    .join(', ');
  return [
    `${claims} claims: ${claims_in_log} have their record in the log, ` +
      `${claims_older_than_log} are older than the log.`,
    `Records beside their claims: ${records}.`,
  ];
}
