/** An event found in a store; `content` is what its client wrote into it. */
export interface FoundEvent {
  readonly eventId: string;
  readonly content: number | null;
}

/** An event or a claim with the hash of everything its client sent. */
export interface FoundHash {
  readonly eventId: string;
  readonly payloadHash: string;
}

/** What the stores hold once everything has come to rest. */
export interface StoredState {
  readonly claims: readonly FoundHash[];
  readonly received: readonly (FoundEvent & FoundHash)[];
  readonly accepted: readonly FoundEvent[];
  readonly quarantined: readonly { readonly eventId: string; readonly reason: string }[];
  /** Rows of the column store, copies collapsed as its readers see them. */
  readonly rows: readonly FoundEvent[];
}
