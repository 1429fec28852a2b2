import type { Credentials } from './credentials-file.js';
import { limits } from './limits.js';
import type { RankedTool } from './ranking.js';

interface BannerFacts {
  readonly credentials: Credentials;
  readonly credentialsFile: string;
  readonly ranking: readonly RankedTool[];
  /** Whether the demo's sample events are in the ranking. */
  readonly demo: boolean;
}

/** What a person wants to know once everything runs. */
export function banner({ credentials, credentialsFile, ranking, demo }: BannerFacts): string {
  const lines = [
    '',
    `Uptake is ready at ${credentials.baseUrl}`,
    '',
    `  credentials               ${credentialsFile}`,
    `  organization tracking key ${credentials.organizationTrackingKey}`,
    `  product tracking key      ${credentials.productTrackingKey}`,
    '',
    ...rankingLines(ranking, demo),
    '',
    '',
  ];
  return lines.join('\n');
}

function rankingLines(ranking: readonly RankedTool[], demo: boolean): string[] {
  if (ranking.length === 0) return ['  Nothing is published yet.'];
  const label = demo ? ' (sample events)' : '';
  const shown = ranking.slice(0, limits.ranking_rows_shown);
  return [
    `  Top of the ranking${label}: GET /api/v1/agent-rank`,
    ...shown.map(({ rank, name, category, score, developers }) =>
      [
        `  ${String(rank).padStart(3)}`,
        name.padEnd(16),
        category.padEnd(20),
        `score ${score.toFixed(2)}`,
        `about ${developers} developers`,
      ].join('  '),
    ),
  ];
}
