import { periodDays, type AdoptionPeriod } from '#domain/adoption/period.js';
import { publication_policy_version, type PublicationPolicy } from '#domain/adoption/policy.js';
import { adoption_score_version, scoreDefinition } from '#domain/adoption/score.js';

/** What the rules are for, and what the attacks in `test/privacy` try to break. */
export const publication_promise =
  'No published count, and no difference between two published counts of the same tool, stands' +
  ' for a small group of developers or for one that a single account dominates.';

/** Under which rules rows are published and rounded; the wording of the answer. */
export function suppressionOf(
  policyVersion: string,
  { minDevelopers, minAccounts, topAccountPercentMax }: PublicationPolicy,
) {
  return {
    policyVersion,
    minDevelopers,
    minAccounts,
    concentrationRule: 'applied',
    rounding: 'ladder',
    statement:
      `A row has figures only when at least ${minDevelopers} developers in at least` +
      ` ${minAccounts} accounts stand behind it and no account holds more than` +
      ` ${topAccountPercentMax} % of those who belong to one.` +
      ' Every other catalogued tool has one and the same row without figures, whatever the reason.',
  };
}

/** What the figures mean and what they do not; the wording of the answer. */
export function methodologyOf(period: AdoptionPeriod, policy: PublicationPolicy) {
  return {
    version: adoption_score_version,
    url: '/methodology',
    thresholds: { developers: policy.minDevelopers, accounts: policy.minAccounts },
    rounding:
      'Counts are rounded to 5 below 50, 25 below 250, 50 below 500, 100 below 1 000, 250 below' +
      ' 2 500, 500 below 5 000, else 1 000, and twice as coarsely where one account holds more' +
      ` than ${policy.coarseAbovePercent} %; the exact count lies from lower to upper.`,
    score: scoreDefinition(period, policy),
    definitions: {
      developers:
        `Distinct developers with at least one accepted event in the last ${periodDays(period)}` +
        ' UTC days, the day of the epoch included.',
      accounts: 'Distinct customer accounts of those developers, by registrable domain.',
      activatedDevelopers: 'Those developers with an activation event in the same days.',
      expansionAccounts: 'Accounts of those developers who had an expansion event.',
      retentionD7:
        'Of the developers whose first activation fell into as many days, ending a week earlier,' +
        ' those who came back seven days later or more: a band in percent.',
      rank: 'Order by score among published rows, equal scores by slug.',
      evidence: 'Where events come from. Labels are shown side by side and never added up.',
      trend: 'Places gained or lost since the epoch before.',
    },
    limitations: [
      'This is not differential privacy; what is promised stands on the methodology page.',
      'A row that is missing or has no figures is no proof that a tool is not used.',
      'Figures stand for events that vendors send, and grow with the number of vendors who do.',
      'Figures may be those of an earlier epoch, by no more days than the period has.',
      'Who is erased, or was counted twice under two ids, stays part of a figure until enough ' +
        'others have changed.',
      'Small changes between two epochs can be effects of rounding.',
    ],
  };
}

/** The page behind `methodology.url`. */
export function methodologyPage(policy: PublicationPolicy) {
  return {
    promise: publication_promise,
    suppression: suppressionOf(publication_policy_version, policy),
    methodology: methodologyOf('30d', policy),
  };
}
