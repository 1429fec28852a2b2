/**
 * Places where a crash would be hardest to survive; one for each row of the table in
 * docs/architecture.md. Production entry points never arm one: only the entry points under
 * `test/`, which no image contains, call `armFaultPoint`.
 */
export const fault_points = [
  'before_append',
  'after_append_before_commit',
  'after_commit_before_answer',
  'clerk_after_adopt',
  'clerk_after_accept',
  'projector_after_insert',
  'projector_after_mark',
  'publisher_after_days',
  'publisher_after_cohorts',
  'publisher_after_rows',
  'erasure_after_ledger',
  'erasure_after_table',
  'erasure_after_rows',
  'publisher_after_pointer',
  'rebuild_after_step',
  'rebuild_after_reset',
] as const;

export type FaultPoint = (typeof fault_points)[number];

const armed = new Map<FaultPoint, () => void | Promise<void>>();

/** Runs `strike` whenever the point is reached; for tests only. */
export function armFaultPoint(point: FaultPoint, strike: () => void | Promise<void>): void {
  armed.set(point, strike);
}

/** Marks the place in the code; does nothing unless a test armed it. */
export async function reachFaultPoint(point: FaultPoint): Promise<void> {
  const strike = armed.get(point);
  if (strike !== undefined) await strike();
}
