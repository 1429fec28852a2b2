import type { VersionState } from '#domain/projections/version-state.js';

/** How far consumer groups are: partition → one past the last record whose rows are stored. */
export type OffsetVector = Readonly<Record<string, string>>;

/** A key that two versions do not agree on. */
export interface DifferingKey {
  readonly table: 'usage_events' | 'dev_day';
  readonly kind: 'missing' | 'unexpected' | 'changed';
  readonly day: string;
  readonly productId: string;
  /** Id of the event; of a day of developers, what may be told of it without naming one. */
  readonly key: string;
}

/** A comparison of a version with the live one, as it is remembered. */
export interface VersionVerification {
  readonly passed: boolean;
  /** ISO 8601 UTC, when it ended. */
  readonly at: string;
  /** The version that was live, and how far both were when it began. */
  readonly liveVersion: number;
  readonly live: OffsetVector;
  readonly candidate: OffsetVector;
  readonly days: number;
  readonly events: number;
  /** Events that one of the two had not been given yet. */
  readonly pending: number;
  /** Days of which derived rows could not be compared: they are to be computed again. */
  readonly daysInMotion: number;
  readonly differences: number;
  /** Some of them. */
  readonly keys: readonly DifferingKey[];
}

/** What is known of a version of a projection. */
export interface ProjectionVersion {
  readonly version: number;
  readonly state: VersionState;
  /** Of the code that began to build it; null for the first one. */
  readonly appVersion: string | null;
  /** Where the build ends; null when it was never built. */
  readonly target: OffsetVector | null;
  readonly verification: VersionVerification | null;
  readonly createdAt: Date;
  readonly cutOverAt: Date | null;
  readonly retainedUntil: Date | null;
  /** When what had been dropped was gone. */
  readonly tablesDroppedAt: Date | null;
}
