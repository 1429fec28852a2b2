/** Where a figure comes from; labels of specification 1. Never summed across labels. */
export const evidence_labels = [
  'first_party',
  'public_source',
  'aggregate_benchmark',
  'sample',
  'modelled',
  'missing',
] as const;

export type EvidenceLabel = (typeof evidence_labels)[number];

/** The label as a mapping tells it: `first-party`. */
export function mappedLabel(label: EvidenceLabel): string {
  return label.replace('_', '-');
}
