import fc from 'fast-check';
import type { Rules } from '../world/paper-publisher.js';

/** Printed with every failure; the same seed tries the same worlds. */
export const attack_seed = 20_260_301;

/** Somebody who sees published rows only, and what they are after. */
export interface Attack {
  readonly name: string;
  /** Worlds that are tried. */
  readonly worlds: number;
  /** Throws, or answers false, in a world in which the attack succeeds. */
  readonly property: (rules: Rules) => fc.IProperty<unknown>;
}

/** Tries an attack in all of its worlds; null when it fails in every one, else what was found. */
export function attempt({ name, worlds, property }: Attack, rules: Rules): string | null {
  const result = fc.check(property(rules) as fc.IProperty<[unknown]>, {
    seed: attack_seed,
    numRuns: worlds,
    // Smaller worlds explain nothing better here, and cost as much as the search.
    endOnFailure: true,
  });
  if (!result.failed) return null;
  const finding = result.errorInstance instanceof Error ? result.errorInstance.message : 'succeeds';
  return `${name}, seed ${result.seed}: ${finding}`;
}

/** Ends an attack that has succeeded. */
export function succeeds(finding: string): never {
  throw new Error(finding);
}
