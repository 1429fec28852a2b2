/** How a received record and the claim on its id stand to each other when all is well. */
export const claim_agreements = [
  'agrees',
  'superseded',
  'unreadable',
  'pending',
  'outside_retention',
] as const;

export type ClaimAgreement = (typeof claim_agreements)[number];

/** `unclaimed`: judged, and no claim holds its id. `differs`: judged, and the claim differs. */
export type BrokenAgreement = 'unclaimed' | 'differs';

export interface RecordBesideClaim {
  /** The clerk has set it aside because another content holds the id. */
  readonly superseded: boolean;
  /** The clerk can read it and knows the name of its event. */
  readonly readable: boolean;
  /** It is below what the clerk has committed. */
  readonly judged: boolean;
  readonly claim: 'none' | 'same' | 'other';
  /** It is so old that its copy in the quarantine may have been removed by retention. */
  readonly quarantineExpired: boolean;
}

/**
 * Whether record and claim agree. The clerk leaves a claim for every readable record that it judges
 * (it adopts what has none) and sets aside what differs from it; claims do not expire, so none may
 * be missing however old the record is.
 */
export function agreementOf(record: RecordBesideClaim): ClaimAgreement | BrokenAgreement {
  if (record.superseded) return 'superseded';
  if (record.claim === 'same') return 'agrees';
  if (!record.readable) return 'unreadable';
  if (!record.judged) return 'pending';
  if (record.claim === 'none') return 'unclaimed';
  return record.quarantineExpired ? 'outside_retention' : 'differs';
}
