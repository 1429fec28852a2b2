import { topics } from '#contracts/topics.js';

const suffix = '.quarantine';

export const quarantine_topics = topics.map(({ name }) => name).filter(isQuarantine);

export function isQuarantine(topic: string): boolean {
  return topic.endsWith(suffix);
}

/** The topic whose records are set aside there. */
export function originOf(quarantineTopic: string): string {
  return quarantineTopic.slice(0, -suffix.length);
}
