/** The claim that an event makes on its id: who it is and what it says. */
export interface Claim {
  readonly eventId: string;
  readonly organizationId: string;
  /** SHA-256 of the canonical content, hex. */
  readonly payloadHash: string;
  /** Short hashes of the single fields, to name what changed (`canonical-event.ts`); base64. */
  readonly fieldHashes: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** Two claims on one id say the same thing. */
export function sameContent(one: Claim, other: Claim): boolean {
  return one.payloadHash === other.payloadHash;
}
