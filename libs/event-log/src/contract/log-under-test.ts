import type { EventLog } from '../event-log.js';
import type { ChildAddress } from '../testing/child-address.js';

/** What the contract may turn, whichever driver it runs against. */
export interface LogTuning {
  readonly queueRecordsMax?: number;
  readonly sessionTimeoutMs?: number;
}

/** One store of one driver, shared by every test of a run; each test makes its own topics. */
export interface LogUnderTest {
  /** A further client of the same store, with connections of its own. */
  open(tuning?: LogTuning): Promise<EventLog>;
  /** How a child process reaches the same store. */
  childAddress(tuning?: LogTuning): ChildAddress;
  /** Applies retention now instead of when the driver would. */
  expire(log: EventLog): Promise<void>;
  /** Removes the store. */
  remove(): Promise<void>;
}
