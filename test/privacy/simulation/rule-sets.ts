import { countedGroup, type PublicationStep } from '#domain/adoption/cell.js';
import type { RoundedCount } from '#domain/adoption/rounding.js';
import { rounding } from '#domain/adoption/steps/figures.js';
import { carryForward, differenceGate } from '#domain/adoption/steps/gate.js';
import { size } from '#domain/adoption/steps/primary.js';
import { full_policy, type Rules } from '../world/paper-publisher.js';

const exact = (value: number): RoundedCount => ({ value, lower: value, upper: value });

/** What stands in for rounding when it is switched off: without any figures nothing is shown. */
export const exactFigures: PublicationStep = {
  name: 'rounding',
  judge: (cell) => {
    if (cell.outcome !== 'counted' || cell.figures !== null) return cell;
    const { developers, accounts } = countedGroup(cell.candidate);
    const figures = { developers: exact(developers), accounts: exact(accounts), retained: null };
    return { ...cell, figures };
  },
};

/** The full policy with other steps in the place of some. */
export function replacing(steps: Readonly<Record<string, PublicationStep | null>>): Rules {
  return {
    ...full_policy,
    steps: full_policy.steps.flatMap((step) => {
      const other = steps[step.name];
      if (other === undefined) return [step];
      return other === null ? [] : [other];
    }),
  };
}

/** Only these steps, which need no memory of what was published. */
function only(steps: readonly PublicationStep[]): Rules {
  return { policy: { ...full_policy.policy, gateCohortsMax: 1 }, steps };
}

export const threshold_only = only([size, exactFigures]);
export const threshold_and_rounding = only([size, rounding]);

/** The gate looks at former cohorts of its own cell and at what its periods show now. */
export const gate_of_one_cell: Rules = replacing({
  difference_gate: {
    name: differenceGate.name,
    judge: (cell, policy) => {
      const { period, part } = cell.candidate;
      const latest = Math.max(0, ...cell.comparisons.map(({ other }) => other.shownUntil));
      const comparisons = cell.comparisons.filter(
        ({ other }) =>
          other.part === part && (other.period === period || other.shownUntil >= latest - 1),
      );
      const { outcome, objection } = differenceGate.judge({ ...cell, comparisons }, policy);
      return { ...cell, outcome, objection };
    },
  },
});

/** Figures are carried where the gate objects, and a cohort below the least leaves at once. */
export const leaving_at_once: Rules = replacing({
  carry_forward: {
    name: carryForward.name,
    judge: (cell, policy) =>
      cell.objection?.step === differenceGate.name ? carryForward.judge(cell, policy) : cell,
  },
});

/** An empty difference is counted anew. */
export const counting_anew: Rules = replacing({ same_figures: null });
