import type { ChildAddress } from './child-address.js';

/** What an appending child is told at its start. */
export interface AppenderOrder {
  readonly address: ChildAddress;
  readonly topic: string;
  /** One sequential appender per key. */
  readonly keys: readonly string[];
  readonly recordsPerKey: number;
}

/** What a consuming child is told at its start. */
export interface MemberOrder {
  readonly address: ChildAddress;
  readonly topic: string;
  readonly group: string;
  readonly batchRecordsMax: number;
  /** The handler does not return before the parent says `go`. */
  readonly hold: boolean;
}

export type ChildMessage =
  | {
      readonly kind: 'acked';
      readonly key: string;
      readonly number: number;
      readonly partition: number;
      readonly offset: string;
    }
  | { readonly kind: 'finished' }
  | { readonly kind: 'batch'; readonly partition: number; readonly offsets: readonly string[] }
  | { readonly kind: 'handled'; readonly partition: number }
  | { readonly kind: 'assignment'; readonly partitions: readonly number[] };
