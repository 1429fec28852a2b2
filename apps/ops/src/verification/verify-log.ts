import {
  usageAcceptedTopic,
  usageReceivedQuarantineTopic,
  usageReceivedTopic,
} from '#contracts/topics.js';
import { received_fates } from '#domain/claims/received-fate.js';
import type { EventLog } from '#event-log/event-log.js';
import type { Database } from '#postgres/database.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { captureTopic, committedOf, type CapturedTopic } from './captured-topic.js';
import { clerk_group } from './consumers.js';
import { ConservedPortion, type Conservation } from './conserved-portion.js';
import { SetAsideRecords } from './set-aside.js';
import { scan } from './scan.js';
import {
  Tally,
  toReport,
  walkLog,
  type StartProgress,
  type VerificationReport,
  type Walk,
} from './verification.js';

/** What the log holds, taken in the one order in which it proves something. */
interface CapturedLog {
  readonly committed: ReadonlyMap<number, bigint>;
  readonly accepted: CapturedTopic;
  readonly quarantine: CapturedTopic;
  readonly received: CapturedTopic;
}

/**
 * Proves that no received record is unaccounted for: received = accepted + duplicates +
 * superseded + quarantined + erased + pending + outside retention. Reads without a group.
 */
export async function verifyLog(
  log: EventLog,
  database: Database,
  startProgress: StartProgress,
): Promise<VerificationReport> {
  const captured = await capture(log);
  const { accepted, quarantine, received } = captured;
  const topics = { keyed: [accepted, received], beside: [quarantine] };
  return walkLog(log, topics, startProgress, async (walk) => {
    const tally = new Tally<Conservation>([...received_fates, ...other_counts]);
    const { findings } = walk;
    const { committed } = captured;
    const erasures = new ErasureLedger(database);
    for (const portion of walk.portions) {
      const setAside = new SetAsideRecords(received.name);
      const look = new ConservedPortion({ committed, erasures, setAside, tally, findings });
      const ordered = (topic: CapturedTopic) => ({ ...walk.scanOf(topic, portion), findings });
      look.acceptedHorizon = await scan(ordered(accepted), (record) => look.takeAccepted(record));
      await setAside.read(walk.scanOf(quarantine, portion));
      await erasures.refresh();
      const horizon = await scan(ordered(received), (record) => look.takeReceived(record));
      look.settle(accepted.name, horizon);
    }
    return toReport(walk.findings, tally.counts, statementOf(tally.counts, walk));
  });
}

const other_counts = ['received', 'accepted_copies', 'accepted_outside_retention'] as const;

/**
 * The order of the captures is what makes a difference a proof while the service runs. Whatever the
 * clerk has committed it had accepted or set aside before; so its commits come first. Whatever is
 * accepted was received before; so what was received comes last.
 */
async function capture(log: EventLog): Promise<CapturedLog> {
  const committed = await committedOf(log, clerk_group, usageReceivedTopic.name);
  const accepted = await captureTopic(log, usageAcceptedTopic);
  const quarantine = await captureTopic(log, usageReceivedQuarantineTopic);
  const received = await captureTopic(log, usageReceivedTopic);
  return { committed, accepted, quarantine, received };
}

function statementOf(counts: Readonly<Record<Conservation, number>>, walk: Walk): string[] {
  const { received } = counts;
  const accounted = received_fates.reduce((sum, fate) => sum + counts[fate], 0);
  const terms = received_fates
    .map((fate) => `${counts[fate]} ${fate.replaceAll('_', ' ')}`)
    .join(' + ');
  const holds = accounted === received;
  return [
    `received ${received} ${holds ? '=' : '≠'} ${terms}`,
    holds
      ? 'Every received record is accounted for.'
      : `${received - accounted} received records are not accounted for.`,
    `${counts.accepted_copies} accepted records repeat an event; consumers collapse them.`,
    `Looked at in ${walk.portions.length} portions.`,
  ];
}
