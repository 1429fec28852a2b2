import { cohortDifference, type Cohort } from '#domain/adoption/cohort-members.js';
import { adoption_periods } from '#domain/adoption/period.js';
import { PaperPublisher, type Rules, type ShownTruth } from '../world/paper-publisher.js';
import { groupOf, isSmallCohort } from '../world/group.js';
import { simulated_epochs, type Arrival, type SimulatedTool } from './simulated-tool.js';

/** What came of publishing one tool day by day. */
export interface Measurement {
  /** Two successive figures of a cell that give one developer away exactly. */
  isolations: number;
  /** Successive figures that differ because of fewer than five developers. */
  smallChanges: number;
  arrivals: number;
  /** Arrivals whose size the next other figure tells to within 15 %. */
  recovered: number;
  /** Periods and days on which the cohort was large enough and nobody's. */
  publishable: number;
  /** Those of them on which a figure was shown. */
  published: number;
  /** Of each shown figure the days since it was counted. */
  readonly ages: number[];
  /** Of each shown figure the distance from the count of that day, as a share of it. */
  readonly errors: number[];
}

export const nothing_measured = (): Measurement => ({
  isolations: 0,
  smallChanges: 0,
  arrivals: 0,
  recovered: 0,
  publishable: 0,
  published: 0,
  ages: [],
  errors: [],
});

const recovered_within = 0.15;
const watched_days = 14;

/** Publishes a tool for all epochs and adds what is found; only `all` of a period is looked at. */
export function measure(tool: SimulatedTool, rules: Rules, into: Measurement): void {
  const publisher = new PaperPublisher(rules);
  const countedOn = new Map<string, number>();
  for (let day = 0; day < simulated_epochs; day += 1) {
    const from = publisher.truths.length;
    publisher.publish(tool.world, day);
    const shown = publisher.truths.slice(from).filter(({ part }) => part === 'all');
    for (const { period, counted } of shown) if (counted) countedOn.set(period, day);
    for (const period of adoption_periods) {
      const members = publisher.countedLast(tool.world.tools[0]!.id, period);
      if (members === undefined) continue;
      const truth = shown.find((one) => one.period === period);
      if (!isSmallCohort(groupOf(members))) {
        into.publishable += 1;
        if (truth !== undefined) into.published += 1;
      }
      if (truth === undefined) continue;
      into.ages.push(day - countedOn.get(period)!);
      into.errors.push(errorOf(truth, members));
    }
  }
  const cells = cellsOf(publisher.truths);
  for (const cell of cells) measureChanges(cell, into);
  if (tool.arrival !== null) measureArrival(cells, tool.arrival, into);
}

function cellsOf(truths: readonly ShownTruth[]): ShownTruth[][] {
  return adoption_periods.map((period) =>
    truths.filter((truth) => truth.part === 'all' && truth.period === period),
  );
}

function errorOf({ figures }: ShownTruth, members: Cohort): number {
  const { developers } = groupOf(members);
  return Math.abs(figures.developers.value - developers) / developers;
}

function measureChanges(cell: readonly ShownTruth[], into: Measurement): void {
  for (const [index, { figures, members, epoch }] of cell.entries()) {
    const before = cell[index - 1];
    if (before?.epoch !== epoch - 1) continue;
    const [one, other] = [before.figures.developers, figures.developers];
    if (one.value === other.value) continue;
    const { developers } = cohortDifference(before.members, members);
    const areExact = one.lower === one.upper && other.lower === other.upper;
    if (areExact && developers === 1) into.isolations += 1;
    if (developers < 5) into.smallChanges += 1;
  }
}

/** Whoever knows the day compares the figure before with the first other one after it. */
function measureArrival(
  cells: readonly ShownTruth[][],
  { day, developers }: Arrival,
  into: Measurement,
): void {
  into.arrivals += 1;
  const isRecovered = cells.some((cell) => {
    const before = cell.findLast((truth) => truth.day < day)?.figures.developers.value;
    const after = cell.find(
      ({ day: on, figures }) =>
        on >= day && on < day + watched_days && figures.developers.value !== before,
    );
    if (before === undefined || after === undefined) return false;
    const estimate = after.figures.developers.value - before;
    return Math.abs(estimate - developers) <= recovered_within * developers;
  });
  if (isRecovered) into.recovered += 1;
}
