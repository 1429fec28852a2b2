/** How many records the share is taken of; while fewer were judged, nothing is refused. */
export const judged_records = 1000;

/**
 * What was judged lately, oldest first, at most `judged_records` long: true where a record was set
 * aside.
 */
export type Judgements = readonly boolean[];

/** `setAside`: how many of the last `judged_records` it would have been. */
export type BatchAdmission =
  | { readonly kind: 'admitted'; readonly lately: Judgements }
  | { readonly kind: 'refused'; readonly setAside: number; readonly at: number };

/**
 * Whether a batch may be finished as it was judged. A few records that nobody can read are set
 * aside and the rest goes on; but a reader that sets aside more than `shareMax` (0.05 is one in
 * twenty) of the last 1 000 records is more likely broken than they are, and would drain the topic.
 *
 * A batch is refused when it sets anything aside and at any of its records the share is above the
 * bar; `at` is the index of that record. A refused batch leaves no trace, so it is not counted
 * twice when it comes again. A batch without anything to set aside always passes.
 */
export function admitBatch(
  lately: Judgements,
  batch: Judgements,
  shareMax: number,
): BatchAdmission {
  const judged = [...lately, ...batch];
  const admitted = { kind: 'admitted', lately: judged.slice(-judged_records) } as const;
  if (!batch.includes(true)) return admitted;
  let setAside = 0;
  for (const [index, isSetAside] of judged.entries()) {
    if (isSetAside) setAside += 1;
    if (judged[index - judged_records] === true) setAside -= 1;
    const full = index + 1 >= judged_records;
    if (full && index >= lately.length && setAside / judged_records > shareMax) {
      return { kind: 'refused', setAside, at: index - lately.length };
    }
  }
  return admitted;
}
