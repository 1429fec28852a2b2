/** The topics of the event log, each with its partitions per driver and its retention. */
const day_ms = 24 * 60 * 60 * 1000;

export interface Topic {
  readonly name: string;
  readonly partitions: { readonly embedded: number; readonly kafka: number };
  readonly retentionMs: number;
}

const eventTopic = (name: string, embedded: number): Topic => ({
  name,
  partitions: { embedded, kafka: embedded * 2 },
  retentionMs: 400 * day_ms,
});

const quarantineOf = (topic: Topic): Topic => ({
  name: `${topic.name}.quarantine`,
  partitions: { embedded: 1, kafka: 3 },
  retentionMs: 90 * day_ms,
});

/** Events as the door took them in; key: event id. */
export const usageReceivedTopic = eventTopic('usage.received.v1', 6);
/** Events as the clerk judged and mapped them; key: event id. */
export const usageAcceptedTopic = eventTopic('usage.accepted.v1', 6);
/** Received events that were set aside with a reason. */
export const usageReceivedQuarantineTopic = quarantineOf(usageReceivedTopic);
/** Accepted events that the projector could not read. */
export const usageAcceptedQuarantineTopic = quarantineOf(usageAcceptedTopic);

export const topics: readonly Topic[] = [
  usageReceivedTopic,
  usageAcceptedTopic,
  usageReceivedQuarantineTopic,
  usageAcceptedQuarantineTopic,
];

/** The topics as the named driver of the event log is to create them. */
export function topicSpecsFor(driver: string) {
  return topics.map(({ name, partitions, retentionMs }) => ({
    name,
    partitions: driver === 'kafka' ? partitions.kafka : partitions.embedded,
    retentionMs,
  }));
}
