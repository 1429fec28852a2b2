import {
  cohortDifference,
  cohortFacts,
  cohortOf,
  type Cohort,
} from '#domain/adoption/cohort-members.js';
import { pairsToCompare } from '#domain/adoption/pairs-to-compare.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import type { PublicationPolicy } from '#domain/adoption/policy.js';
import {
  cohortId,
  new_series,
  type CandidateFacts,
  type CohortId,
  type CohortPart,
  type SeriesFacts,
} from '#domain/adoption/series.js';
import type { ToolMember } from '#read-models/dev-day/dev-day.reader.js';

/** The series of an epoch, counted from the members of each period. */
export function seriesFacts(
  members: ReadonlyMap<AdoptionPeriod, readonly ToolMember[]>,
  epoch: number,
  policy: PublicationPolicy,
): SeriesFacts[] {
  const bySeries = new Map<string, CountedSeries>();
  for (const [period, list] of members) {
    for (const one of groups(list)) {
      const key = `${one[0]!.tool} ${one[0]!.evidence}`;
      const series = bySeries.get(key) ?? new CountedSeries(one[0]!);
      series.add(period, one, epoch);
      bySeries.set(key, series);
    }
  }
  return [...bySeries.values()].map((series) => series.facts(epoch, policy));
}

class CountedSeries {
  private readonly cohorts = new Map<CohortId, Cohort>();
  private readonly candidates: CandidateFacts[] = [];

  constructor(private readonly of: Pick<ToolMember, 'tool' | 'evidence'>) {}

  add(period: AdoptionPeriod, members: readonly ToolMember[], epoch: number): void {
    const whole = links(members);
    const parts: Readonly<Record<Exclude<CohortPart, 'retention'>, readonly ToolMember[]>> = {
      all: members,
      activated: members.filter(({ activated }) => activated === 1),
      expanding: members.filter(({ expanding }) => expanding === 1),
    };
    for (const part of ['all', 'activated', 'expanding'] as const) {
      const cohort = links(parts[part]);
      this.cohorts.set(cohortId(epoch, period, part), cohort);
      const [facts, rest] = [cohortFacts(cohort), cohortDifference(whole, cohort)];
      this.candidates.push({ period, part, whole: cohortFacts(whole), cohort: facts, rest });
    }
  }

  facts(epoch: number, policy: PublicationPolicy): SeriesFacts {
    const known = { candidates: this.candidates, state: new_series };
    return {
      toolId: this.of.tool,
      label: this.of.evidence,
      ...known,
      differences: pairsToCompare(known, epoch, policy).map(({ candidate, other }) => ({
        candidate,
        other,
        facts: cohortDifference(this.cohorts.get(candidate)!, this.cohorts.get(other)!),
      })),
    };
  }
}

function links(members: readonly ToolMember[]): Cohort {
  return cohortOf(
    members.map(({ developer, account }) => ({
      developer,
      account: account === '0' ? null : account,
    })),
  );
}

function groups(members: readonly ToolMember[]): ToolMember[][] {
  const byKey = new Map<string, ToolMember[]>();
  for (const member of members) {
    const key = `${member.tool} ${member.evidence}`;
    const list = byKey.get(key);
    if (list === undefined) byKey.set(key, [member]);
    else list.push(member);
  }
  return [...byKey.values()];
}
