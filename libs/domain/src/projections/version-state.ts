/**
 * What a version of a projection is for. `building`: filled from the log, up to where the log
 * ended when it was begun. `following`: fed like the live one, read by nobody. `live`: epochs are
 * computed from it. `retained`: was live, is fed on, so that one can go back. `dropped`: gone.
 */
export const version_states = ['building', 'following', 'live', 'retained', 'dropped'] as const;

export type VersionState = (typeof version_states)[number];

/** What happens to a version; `succeed` and `give_way` are the two halves of a switch. */
export type VersionStep = 'begin' | 'follow' | 'succeed' | 'give_way' | 'step_back' | 'drop';

const steps: Readonly<
  Record<VersionStep, { readonly from: readonly (VersionState | null)[]; to: VersionState }>
> = {
  begin: { from: [null, 'building', 'dropped'], to: 'building' },
  follow: { from: ['building'], to: 'following' },
  succeed: { from: ['following', 'retained'], to: 'live' },
  give_way: { from: ['live'], to: 'retained' },
  step_back: { from: ['live'], to: 'following' },
  drop: { from: ['building', 'following', 'retained'], to: 'dropped' },
};

/**
 * The state of a version after a step; null when it cannot take it. A version that does not exist
 * has the state null: `stateAfter(null, 'begin') === 'building'`.
 */
export function stateAfter(state: VersionState | null, step: VersionStep): VersionState | null {
  const { from, to } = steps[step];
  return from.includes(state) ? to : null;
}

/** Whether the projector feeds a version of this state by a consumer group of its own. */
export function isFed(state: VersionState): boolean {
  return state === 'following' || state === 'live' || state === 'retained';
}
