import {
  countedGroup,
  emptyCandidate,
  object,
  openCell,
  type Cell,
  type Comparison,
  type PublicationStep,
  type ShownBefore,
} from './cell.js';
import type { CellExplanation, SeriesOutcome } from './epoch.js';
import { areCompared, surelyApart } from './pairs-to-compare.js';
import { adoption_periods, daysBetween, type AdoptionPeriod } from './period.js';
import { policyFingerprint, type PublicationPolicy } from './policy.js';
import {
  cohortId,
  cohort_parts,
  stateUnder,
  type CandidateFacts,
  type CohortFigures,
  type CohortId,
  type CohortPart,
  type PublishedCohort,
  type SeriesFacts,
  type ShownCohort,
} from './series.js';

/** When and under which rules a series is judged. */
export interface Judgement {
  readonly epoch: number;
  readonly day: string;
  readonly policy: PublicationPolicy;
  readonly steps: readonly PublicationStep[];
}

/** What a period of a series shows, by part; parts that it does not name are withheld. */
export type ShownFigures = Partial<Record<CohortPart, CohortFigures>>;

export interface JudgedSeries extends SeriesOutcome {
  readonly figures: Readonly<Record<AdoptionPeriod, ShownFigures>>;
}

/**
 * Judges every period and part of a series. Each cohort that is published is at once one that the
 * next ones are compared with, so the order decides who comes first and never what is safe; the
 * longest period is first because it moves least.
 */
export function judgeSeries(series: SeriesFacts, judgement: Judgement): JudgedSeries {
  const judge = new SeriesJudge(series, judgement);
  for (const period of [...adoption_periods].reverse()) {
    for (const part of cohort_parts) judge.judge(period, part);
  }
  return judge.outcome();
}

class SeriesJudge {
  private readonly known: Map<CohortId, PublishedCohort>;
  private readonly before: readonly ShownCohort[];
  private readonly differences: ReadonlyMap<string, Comparison['difference']>;
  private readonly shown: ShownCohort[] = [];
  private readonly newCohorts: CohortId[] = [];
  private readonly cells: CellExplanation[] = [];
  private readonly figures: Record<AdoptionPeriod, ShownFigures> = {
    '7d': {},
    '30d': {},
    '90d': {},
  };

  constructor(
    private readonly series: SeriesFacts,
    private readonly judgement: Judgement,
  ) {
    const state = stateUnder(judgement.policy, series.state);
    this.before = state.shown;
    this.known = new Map(state.published.map((cohort) => [cohort.id, cohort]));
    this.differences = new Map(
      series.differences.flatMap(({ candidate, other, facts }) => [
        [`${candidate} ${other}`, facts],
        [`${other} ${candidate}`, facts],
      ]),
    );
  }

  judge(period: AdoptionPeriod, part: CohortPart): void {
    const candidate =
      this.series.candidates.find((one) => one.period === period && one.part === part) ??
      emptyCandidate(period, part);
    const shown = this.shownBefore(period, part);
    if (countedGroup(candidate).developers === 0 && shown === null) return;
    const { policy, steps } = this.judgement;
    const comparisons = this.comparisons(candidate, shown);
    const opened = openCell(
      { candidate, shown, comparisons, ...this.rests(candidate, shown) },
      policy,
    );
    const hasRow = part === 'all' || this.figures[period].all !== undefined;
    this.settle(
      hasRow
        ? steps.reduce((cell, step) => step.judge(cell, policy), opened)
        : object(opened, 'all', 'the part has no row to stand in'),
    );
  }

  outcome(): JudgedSeries {
    const { toolId, label } = this.series;
    const { policy } = this.judgement;
    return {
      toolId,
      label,
      state: {
        policy: policyFingerprint(policy),
        published: newestOfEachCell([...this.known.values()], policy.gateCohortsMax),
        shown: this.shown,
      },
      newCohorts: this.newCohorts,
      cells: this.cells,
      figures: this.figures,
    };
  }

  private shownBefore(period: AdoptionPeriod, part: CohortPart): ShownBefore | null {
    const shown = this.before.find((one) => one.period === period && one.part === part);
    const cohort = shown && this.known.get(shown.cohort);
    if (cohort === undefined) return null;
    const { countedOn } = shown!;
    return { cohort, countedOn, ageDays: daysBetween(countedOn, this.judgement.day) };
  }

  /** What readers find when they subtract a part, counted now or before, from its whole. */
  private rests(
    { period, part, rest }: CandidateFacts,
    shown: ShownBefore | null,
  ): Pick<Cell, 'rest' | 'shownRest'> {
    if (part === 'all' || part === 'retention') return { rest: null, shownRest: null };
    const { epoch } = this.judgement;
    const whole = this.cells.find((one) => one.period === period && one.part === 'all');
    const wholeBefore = this.shownBefore(period, 'all')?.cohort.id;
    if (whole?.outcome === 'carried') {
      const key = `${cohortId(epoch, period, part)} ${whole.cohort}`;
      return { rest: this.differences.get(key) ?? null, shownRest: null };
    }
    const key = `${cohortId(epoch, period, 'all')} ${shown?.cohort.id}`;
    const isSamePair = whole?.cohort === wholeBefore;
    return { rest, shownRest: isSamePair ? null : (this.differences.get(key) ?? null) };
  }

  private comparisons(candidate: CandidateFacts, shown: ShownBefore | null): Comparison[] {
    const { epoch, policy } = this.judgement;
    const group = countedGroup(candidate);
    if (group.developers === 0) {
      // All that was shown is gone: the difference is the cohort that was shown.
      return shown === null ? [] : [{ other: shown.cohort, difference: shown.cohort.facts }];
    }
    const id = cohortId(epoch, candidate.period, candidate.part);
    return [...this.known.values()]
      .filter((other) => areCompared(candidate, other))
      .flatMap((other) => {
        const difference = this.differences.get(`${id} ${other.id}`);
        if (difference !== undefined) return [{ other, difference }];
        if (surelyApart(group, other.facts, policy)) return [];
        throw new Error(`The difference of ${id} and ${other.id} was not counted.`);
      });
  }

  private settle(cell: Cell): void {
    const { period, part } = cell.candidate;
    const shown = this.showing(cell);
    if (shown !== null) {
      this.shown.push(shown);
      const cohort = this.known.get(shown.cohort)!;
      this.known.set(cohort.id, { ...cohort, shownUntil: this.judgement.epoch });
      this.figures[period][part] = cohort.figures;
    }
    this.cells.push({
      period,
      part,
      outcome: shown === null ? 'withheld' : cell.outcome,
      cohort: shown?.cohort ?? null,
      decidedBy: cell.objection?.step ?? null,
      reason: cell.objection?.reason ?? 'nothing objects',
      exact: countedGroup(cell.candidate),
    });
  }

  /** The cohort that a judged cell shows; one that is new becomes known. */
  private showing({ candidate, shown, outcome, same, figures }: Cell): ShownCohort | null {
    const { period, part } = candidate;
    const { epoch, day } = this.judgement;
    if (outcome === 'withheld' || figures === null) return null;
    if (outcome === 'carried') {
      return { period, part, cohort: shown!.cohort.id, countedOn: shown!.countedOn };
    }
    if (same !== null) return { period, part, cohort: same.id, countedOn: day };
    const id = cohortId(epoch, period, part);
    const facts = countedGroup(candidate);
    this.known.set(id, { id, period, part, facts, figures, shownUntil: epoch });
    this.newCohorts.push(id);
    return { period, part, cohort: id, countedOn: day };
  }
}

/** Of each period and part the cohorts that were shown last, in the order of the list. */
function newestOfEachCell(
  published: readonly PublishedCohort[],
  most: number,
): readonly PublishedCohort[] {
  const kept = new Set<CohortId>();
  const counts = new Map<string, number>();
  for (const { id, period, part } of published.toSorted((a, b) => b.shownUntil - a.shownUntil)) {
    const cell = `${period} ${part}`;
    const count = (counts.get(cell) ?? 0) + 1;
    counts.set(cell, count);
    if (count <= most) kept.add(id);
  }
  return published.filter(({ id }) => kept.has(id));
}
