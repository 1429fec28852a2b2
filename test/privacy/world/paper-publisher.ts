import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { PublicationStep } from '#domain/adoption/cell.js';
import type { Cohort } from '#domain/adoption/cohort-members.js';
import type { EpochFacts, EpochOutcome } from '#domain/adoption/epoch.js';
import { pairsToCompare } from '#domain/adoption/pairs-to-compare.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import { publicationPolicyOf, type PublicationPolicy } from '#domain/adoption/policy.js';
import { publishEpoch } from '#domain/adoption/publish-epoch.js';
import {
  cohortId,
  new_series,
  type CohortFigures,
  type CohortId,
  type CohortPart,
  type SeriesFacts,
  type SeriesState,
} from '#domain/adoption/series.js';
import { policy_steps } from '#domain/adoption/steps/policy-steps.js';
import { UptakeConfig } from '#runtime/config.js';
import { memberCohorts } from './cohorts.js';
import { LinkIndex } from './link-index.js';
import { dateOf, type Use, type World } from './world.js';

/** Under which rules a world is published. */
export interface Rules {
  readonly policy: PublicationPolicy;
  readonly steps: readonly PublicationStep[];
  /** Rules of the policy that are no steps, broken on purpose. */
  readonly broken?: BrokenRules;
}

export interface BrokenRules {
  /** What is counted, when it is not developers. */
  readonly world?: (world: World) => World;
  /** What is shown, when it is more than the rows. */
  readonly outcome?: (outcome: EpochOutcome) => EpochOutcome;
  /** What the next epoch is told of the last one. */
  readonly state?: (state: SeriesState, policy: PublicationPolicy) => SeriesState;
}

/** The policy as it is configured unless an operator says otherwise. */
export const full_policy: Rules = {
  policy: publicationPolicyOf(new UptakeConfig()),
  steps: policy_steps,
};

/** A figure that was shown, and the cohort that it was counted from: the truth behind it. */
export interface ShownTruth {
  readonly epoch: number;
  readonly day: number;
  readonly tool: string;
  readonly period: AdoptionPeriod;
  readonly part: CohortPart;
  readonly cohort: CohortId;
  readonly figures: CohortFigures;
  /** As they were when they were counted; an erasure does not change them. */
  readonly members: Cohort;
  readonly counted: boolean;
}

/** The whole publisher on paper: sets instead of a column store, memory instead of Postgres. */
export class PaperPublisher {
  readonly truths: ShownTruth[] = [];
  private readonly index = new LinkIndex();
  private epoch = 0;
  private readonly states = new Map<string, SeriesState>();
  private readonly members = new Map<string, Map<CohortId, Cohort>>();
  private readonly truthful = new Map<string, Cohort>();
  private ranks = new Map<AdoptionPeriod, ReadonlyMap<string, number>>();

  constructor(private rules: Rules) {}

  /** Publishes what is known at the end of a day. */
  publish(world: World, day: number): EpochOutcome {
    this.epoch += 1;
    const { policy, steps, broken } = this.rules;
    const facts = this.facts(broken?.world?.(world) ?? world, day);
    const published = publishEpoch(facts, policy, steps);
    const outcome = broken?.outcome?.(published) ?? published;
    for (const { toolId, state } of outcome.series) {
      this.states.set(toolId, state);
      const kept = this.members.get(toolId) ?? new Map<CohortId, Cohort>();
      const ids = new Set(state.published.map(({ id }) => id));
      for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    }
    this.record(outcome, day);
    this.ranks = new Map(
      [...outcome.rows].map(([period, rows]) => [period, ranksOf(rows)] as const),
    );
    return outcome;
  }

  /** Publishes under another policy from the next epoch on. */
  change(policy: PublicationPolicy): void {
    this.rules = { ...this.rules, policy };
  }

  /** What the last epoch counted in a period; undefined when there was nobody. */
  countedLast(tool: string, period: AdoptionPeriod): Cohort | undefined {
    return this.truthful.get(`${tool} ${cohortId(this.epoch, period, 'all')}`);
  }

  /** Deletes a developer from all that is kept, as an erasure does. */
  erase(developer: string): void {
    for (const cohorts of this.members.values()) {
      for (const [id, cohort] of cohorts) {
        cohorts.set(id, new Map([...cohort].filter(([, link]) => link.developer !== developer)));
      }
    }
  }

  private facts(world: World, day: number): EpochFacts {
    const usesByTool = new Map<string, Use[]>(world.tools.map(({ id }) => [id, []]));
    for (const use of world.uses) if (use.day <= day) usesByTool.get(use.tool)?.push(use);
    return {
      epoch: this.epoch,
      day: dateOf(day),
      tools: world.tools,
      series: [...usesByTool].map(([tool, uses]) => this.series(tool, uses, day)),
      daysCovered: { '7d': 1, '30d': 1, '90d': 1 },
      incident: false,
      previousRanks: this.ranks,
    };
  }

  private series(toolId: string, uses: readonly Use[], day: number): SeriesFacts {
    const counted = memberCohorts(uses, day);
    const members = this.members.get(toolId) ?? new Map<CohortId, Cohort>();
    this.members.set(toolId, members);
    for (const one of counted) {
      const id = cohortId(this.epoch, one.period, one.part);
      members.set(id, one.members);
      this.truthful.set(`${toolId} ${id}`, one.members);
    }
    const { policy, broken } = this.rules;
    const state = this.states.get(toolId) ?? new_series;
    const known = {
      candidates: counted.map(({ facts }) => facts),
      state: broken?.state?.(state, policy) ?? state,
    };
    const pairs = pairsToCompare(known, this.epoch, policy);
    const differences = pairs.map(({ candidate, other }) => ({
      candidate,
      other,
      facts: this.index.difference(members.get(candidate)!, members.get(other)!),
    }));
    return { toolId, label: 'first_party', ...known, differences };
  }

  private record({ series }: EpochOutcome, day: number): void {
    for (const { toolId, state, cells } of series) {
      for (const { period, part, outcome, cohort } of cells) {
        if (cohort === null) continue;
        this.truths.push({
          epoch: this.epoch,
          day,
          tool: toolId,
          period,
          part,
          cohort,
          figures: state.published.find(({ id }) => id === cohort)!.figures,
          members: this.truthful.get(`${toolId} ${cohort}`)!,
          counted: outcome === 'counted',
        });
      }
    }
  }
}

function ranksOf(rows: readonly AdoptionRow[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ tool, rank }) => (rank === null || tool.id === null ? [] : [[tool.id, rank]])),
  );
}

/** All rows of an epoch as one text, the way that readers get them. */
export function bytesOf({ rows }: EpochOutcome): string {
  return JSON.stringify([...rows]);
}
