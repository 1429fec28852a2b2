import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isFed,
  stateAfter,
  version_states,
  type VersionState,
  type VersionStep,
} from './version-state.js';

const steps: readonly VersionStep[] = [
  'begin',
  'follow',
  'succeed',
  'give_way',
  'step_back',
  'drop',
];

describe('the state of a version', () => {
  it('goes from nothing to live by being built and by following, and no shorter way', () => {
    const walk = (...path: VersionStep[]) =>
      path.reduce<VersionState | null>((state, step) => stateAfter(state, step), null);
    expect(walk('begin', 'follow', 'succeed')).toBe('live');
    expect(walk('begin', 'succeed')).toBeNull();
    expect(walk('succeed')).toBeNull();
  });

  it('never ends while it is live: what is live has to give way first', () => {
    expect(stateAfter('live', 'drop')).toBeNull();
    expect(stateAfter('live', 'begin')).toBeNull();
  });

  it('comes back to live from being retained, and what was live then follows', () => {
    expect(stateAfter('retained', 'succeed')).toBe('live');
    expect(stateAfter('live', 'step_back')).toBe('following');
  });

  it('is built anew where it was being built or was dropped, and nowhere else', () => {
    const from = [null, ...version_states].filter((state) => stateAfter(state, 'begin') !== null);
    expect(from).toEqual([null, 'building', 'dropped']);
  });

  it('is fed exactly as long as one may have to read it', () => {
    expect(version_states.filter(isFed)).toEqual(['following', 'live', 'retained']);
  });
});

/** Two versions, as commands move them: a switch takes both of its steps or none. */
describe('versions under any commands', () => {
  it('have one live one at any time', () => {
    const command = fc.record({
      version: fc.integer({ min: 0, max: 2 }),
      step: fc.constantFrom(...steps),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const states: (VersionState | null)[] = ['live', null, null];
        for (const { version, step } of commands) {
          if (step === 'give_way' || step === 'step_back') continue;
          const next = stateAfter(states[version]!, step);
          if (next === null) continue;
          if (step === 'succeed') {
            const live = states.indexOf('live');
            states[live] = stateAfter(
              'live',
              states[version] === 'retained' ? 'step_back' : 'give_way',
            );
          }
          states[version] = next;
          expect(states.filter((state) => state === 'live')).toHaveLength(1);
        }
      }),
    );
  });
});
