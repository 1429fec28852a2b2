/** One event as a client sent it. */
export interface SentEvent {
  readonly key: string;
  /** Tells this content from every other one under any key; it is projected into a column. */
  readonly content: number;
  /** False where the contract has to refuse it. */
  readonly valid: boolean;
}

/**
 * What a client learned from one attempt. `refused` is any answer of 4xx; `conflicts` are the
 * events that changed under their keys, by position. `uncertain` is everything after which the
 * client does not know what was stored: 5xx, a broken connection, no answer in time.
 */
export type Outcome =
  | {
      readonly kind: 'tracked';
      readonly events: readonly { readonly eventId: string; readonly duplicate: boolean }[];
    }
  | { readonly kind: 'refused'; readonly status: number; readonly conflicts: readonly number[] }
  | { readonly kind: 'uncertain'; readonly why: string };

/** One sending of one request. */
export interface Attempt {
  /** Sendings of the same request share this number. */
  readonly request: number;
  readonly events: readonly SentEvent[];
  readonly outcome: Outcome;
  /** Until the answer was there, or the connection broken. */
  readonly ms: number;
}
