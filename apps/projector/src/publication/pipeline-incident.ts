import {
  usageAcceptedQuarantineTopic,
  usageReceivedQuarantineTopic,
  usageReceivedTopic,
} from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import { projector_limits } from '../limits.js';

/**
 * Whether so many events were set aside lately that figures may lack some: more than one in a
 * hundred of those received in the week before `asOf`, by the time at which the log took them.
 */
export async function hadIncident(log: EventLog, asOf: Date): Promise<boolean> {
  const since = new Date(asOf.getTime() - projector_limits.incident_window_ms);
  const appended = (topic: string) => appendedSince(log, topic, since);
  const [received, ...setAside] = await Promise.all([
    appended(usageReceivedTopic.name),
    appended(usageReceivedQuarantineTopic.name),
    appended(usageAcceptedQuarantineTopic.name),
  ]);
  const lost = setAside.reduce((sum, count) => sum + count, 0);
  return lost > received * projector_limits.incident_share_min;
}

async function appendedSince(log: EventLog, topic: string, since: Date): Promise<number> {
  const first = await log.offsetsAt(topic, since);
  const ranges = await log.ranges(topic);
  return ranges.reduce(
    (sum, { partition, high }) => sum + Number(high - (first.get(partition) ?? high)),
    0,
  );
}
