import { describe, expect, it } from '@jest/globals';
import type { AdoptionMetrics } from '#domain/adoption/adoption-row.js';
import { confidenceIn } from '#domain/adoption/confidence.js';
import { publicationPolicyOf, type PublicationPolicy } from '#domain/adoption/policy.js';
import { roundCount } from '#domain/adoption/rounding.js';
import { UptakeConfig } from '#runtime/config.js';
import { confidence_floors, rounding_rungs } from './methodology-tables.js';
import { methodologyText } from './methodology-text.js';
import { methodologyPage } from './methodology.js';

/** Numbers that no two rules share, so that each of them can be looked for. */
const policy: PublicationPolicy = {
  minDevelopers: 4201,
  minAccounts: 4302,
  topAccountPercentMax: 4403,
  pPercent: 98_765,
  entryDevelopersExtra: 1_000_000,
  minDifferenceDevelopers: 4604,
  minDifferenceAccounts: 4705,
  gateCohortsMax: 4806,
  coarseAbovePercent: 4907,
  scoreDevelopersPerAccountMax: 5108,
  retentionMinDevelopers: 5209,
  retentionMinSide: 5310,
};

const { pPercent: secret, entryDevelopersExtra, ...told } = policy;
const text = methodologyText(policy);

describe('the methodology', () => {
  it.each(Object.entries(told))('tells the number in force for %s', (_name, number) => {
    expect(text).toContain(String(number));
  });

  it('tells what a row needs that has no figures yet', () => {
    expect(text).toContain(String(told.minDevelopers + entryDevelopersExtra));
  });

  it('does not tell p, in any form', () => {
    expect(text).not.toContain(String(secret));
    expect(JSON.stringify(methodologyPage(policy))).not.toContain(String(secret));
    const other = { ...policy, pPercent: 1 };
    expect([methodologyText(other), methodologyPage(other)]).toEqual([
      text,
      methodologyPage(policy),
    ]);
  });

  it('says what it promises and that it is not differential privacy', () => {
    const { promise } = methodologyPage(policy);
    expect(text).toContain(promise);
    expect(text).toContain('It is not differential privacy');
  });

  it('rounds as it says', () => {
    const rounding = { coarse: false, atLeast: 1 };
    for (const { from, to, base } of rounding_rungs) {
      for (const count of [from, to ?? 123_456]) {
        const nearest = Math.max(1, Math.floor(count / base + 0.5) * base);
        expect([count, roundCount(count, rounding).value]).toEqual([count, nearest]);
      }
    }
  });

  it('is as confident as it says', () => {
    const doubts = {
      mostlyOtherEvidence: false,
      daysMissing: false,
      incident: false,
      scoreInputsMissing: false,
    };
    const level = (developers: number, accounts: number) => {
      const count = (value: number) => ({ value, lower: value, upper: value });
      const counts = { developers: count(developers), accounts: count(accounts) };
      return confidenceIn(counts as AdoptionMetrics, doubts).level;
    };
    for (const floor of confidence_floors) {
      const { developers, accounts } = floor;
      expect(level(developers, accounts)).toBe(floor.level);
      expect(level(developers - 1, accounts)).not.toBe(floor.level);
      expect(level(developers, accounts - 1)).not.toBe(floor.level);
    }
  });

  it('reads well with the numbers of the configuration', () => {
    const usual = methodologyText(publicationPolicyOf(new UptakeConfig()));
    expect(usual).not.toMatch(/undefined|NaN|null|\[object/);
    expect(usual.match(/^# /gm)).toHaveLength(1);
  });
});
