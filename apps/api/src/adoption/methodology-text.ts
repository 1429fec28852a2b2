import { adoption_periods } from '#domain/adoption/period.js';
import { publication_policy_version, type PublicationPolicy } from '#domain/adoption/policy.js';
import { scoreDefinition } from '#domain/adoption/score.js';
import { confidenceTable, roundingTable } from './methodology-tables.js';
import { publication_promise } from './methodology.js';

/** The methodology in plain words and markdown, with the numbers in force but for the secret p. */
export function methodologyText(policy: PublicationPolicy): string {
  return [
    opening(),
    countingText(),
    rulesText(policy),
    partsText(policy),
    differencesText(policy),
    roundingText(policy),
    scoreText(policy),
    confidenceText(),
    evidenceText(),
    statusText(),
    limitsText(),
    correctionsText(),
    readingText(),
  ].join('\n');
}

function opening(): string {
  return `# How the figures are made

Uptake counts how many developers and customer accounts use a tool, from events that vendors send.
What is published are rounded counts of groups that are large enough. The rules have the name
\`${publication_policy_version}\`.

## The promise

${publication_promise}

It is not differential privacy, and is not called so: nothing is blurred at random, and somebody who
knows much about a group already can learn more than somebody who knows nothing.
`;
}

function countingText(): string {
  return `## What is counted, and when

- A developer is counted once in a period, however many events there are. Numbers of events are
  never published. Within one vendor's events the id and the e-mail address that come together are
  one developer; both are exchanged for a random number before anything is counted.
- An account is a customer of the tool, by its registrable domain. Providers of mailboxes for
  everybody are no account, nor is the vendor itself.
- A period is 7, 30 or 90 days in UTC, by the time at which an event happened. The last of them is
  the day of the epoch, as far as it has gone.
- An epoch is one publication. All addresses show the latest one until the next; it is not restated
  in between, so asking often tells nothing more than asking once. The next one comes once
  \`nextPublicationAt\` has passed and something has changed, a new day included, or when the
  operator asks for it.
- There are no totals over rows. A sum of your own is a sum of rounded counts, and counts a
  developer once for each tool.
`;
}

function rulesText(policy: PublicationPolicy): string {
  const entry = policy.minDevelopers + policy.entryDevelopersExtra;
  return `## What is published

A row has figures when all of this holds:

- at least ${policy.minDevelopers} developers; a row that has none yet needs ${entry}, so that it
  does not come and go;
- at least ${policy.minAccounts} accounts;
- no account has more than ${policy.topAccountPercentMax} % of the developers who belong to one;
- all accounts but the two largest have, together, a certain share of the largest one, or the
  second largest could work out the size of the first. How large that share is we do not tell,
  because knowing it would help to undo the rule;
- the figures differ from published ones by enough, as said below.

Developers who belong to no known account count for the first of these only.
`;
}

function partsText(policy: PublicationPolicy): string {
  const { retentionMinSide: side, minDifferenceAccounts: accounts } = policy;
  const entry = policy.retentionMinDevelopers + policy.entryDevelopersExtra;
  return `## Parts of a row

Activated developers had an activation event in the period, expansion accounts an expansion event.
Such a part has a figure when it keeps the same rules, and when those who are left without it are
nobody or keep them, too: else they could be found by subtraction.

\`retentionD7\` looks at the developers whose first activation lies in a span as long as the period
that ended seven days before the epoch, and asks whether they had another retention or activation
event at least seven days after it. It needs ${policy.retentionMinDevelopers} such developers,
or ${entry} where none has been shown yet. Those who came back must be ${side} or more in
${accounts} accounts or more, and not be dominated by one account; so must those who did not.
It is shown as a band of five percent, and no closer than below 10 % and from 90 % on.
`;
}

function differencesText(policy: PublicationPolicy): string {
  const { minDifferenceDevelopers: developers, minDifferenceAccounts: accounts } = policy;
  const { gateCohortsMax: most } = policy;
  return `## Differences

Two counts that are harmless one by one can give somebody away when one is subtracted from the
other. Therefore a new group of developers is compared with what the tool has shown before, up to
${most} groups for each period and part, and with its other periods. Those who are in one
and not in the other must be nobody, or at least ${developers} developers in ${accounts} accounts,
and not be dominated by one account.

Where they are not, the figures of an earlier epoch are shown again. A row does not tell whether its
figures are carried on like this; they are at most as old as the period is long, and then go.
`;
}

function roundingText(policy: PublicationPolicy): string {
  return `## Rounding

${roundingTable()}

Where one account has more than ${policy.coarseAbovePercent} % of the developers, counts are rounded
twice as coarsely. A count has a \`value\`, and lies from \`lower\` to \`upper\`, both included.
They follow from the value and from how coarsely it was rounded, and so they tell that one account
has more than that share; which account, and how much more, they do not.
`;
}

function scoreText(policy: PublicationPolicy): string {
  const items = adoption_periods.map(
    (period) => `- \`${period}\`: ${scoreDefinition(period, policy)}`,
  );
  return `## Score, rank and trend

The score is made of published figures only; so are rank and trend.

${items.join('\n')}

The rank is the order by score among the rows that have figures, equal scores by slug. It is the
rank among all tools, whatever was filtered. The trend is the number of places gained or lost since
the epoch before.
`;
}

function confidenceText(): string {
  return `## Confidence

${confidenceTable()}

It is one step lower for each of these, and \`reasons\` names them: most figures are not first-party
(\`mostly_not_first_party\`); the service has events for less than 80 % of the days
(\`days_not_covered\`); events were lost or late (\`pipeline_incident\`); the score does without an
input (\`score_inputs_missing\`).
`;
}

function evidenceText(): string {
  return `## Evidence

Every figure has one label, and labels are shown side by side and never added up:

- \`first_party\`: events that the vendor's own systems sent;
- \`public_source\`: taken from public sources;
- \`aggregate_benchmark\`: aggregates that somebody else made;
- \`sample\`: demonstration data, which stand for no use at all;
- \`modelled\`: estimated;
- \`missing\`: nothing is known.

\`share\` compares the published developers of the labels with one another.
`;
}

function statusText(): string {
  return `## Status of a row

- \`published\`: has figures.
- \`insufficient_data\`: a listed tool without figures. There is one such row, whatever the reason:
  no events at all, too few developers, one large account, or too small a difference. That keeps the
  reason from telling what the figures would have told. \`suppressed\` is the number of such rows
  that a query matches; each of them can be read, and none of them says why.
- \`missing\`: the tool that was asked for is not listed.
`;
}

function limitsText(): string {
  return `## What the figures do not say

- A row that is missing or has no figures is no proof that a tool is not used.
- Figures stand for what vendors send, and grow with the number of vendors who do.
- A vendor can send events that never happened: the rules protect people and accounts, and do not
  prove use.
- Small changes between two epochs can be effects of rounding.
- A developer of several vendors with different ids may be counted more than once. When two ids turn
  out to be one developer, what is shown stays until enough others have changed.
- The promise is about what is published here. It cannot cover what a vendor or an account tells
  about its own developers elsewhere.
`;
}

function correctionsText(): string {
  return `## Corrections and erasure

- An epoch that is published stays as it is. Events that arrive late, and mistakes that are found,
  count from the next epoch on.
- When a developer is erased, their identity and their events go, and a replay of the log does not
  bring them back. The groups that new ones are compared with forget the developer as well, so that
  the next figures do not move because somebody was erased.
- Figures that were published before are rounded and stand for groups; they are not recalled.
- When the rules or their numbers change, comparing starts anew. One epoch is never published under
  two sets of rules.
`;
}

function readingText(): string {
  return `## Reading and citing

- \`GET /api/v1/adoption\` and \`GET /api/v1/agent-rank\` give the same rows, as JSON or, with
  \`Accept: text/csv\`, as CSV.
- \`page.nextCursor\` and the \`Link\` field lead to further rows. A cursor belongs to its epoch:
  after the next one it is answered with [cursor_expired](/problems/cursor_expired).
- Rows are licensed under CC-BY-4.0; \`citation\` has a line to copy. Name the epoch.
- This page is also at \`/methodology.md\`, and as JSON with \`Accept: application/json\`.
`;
}
