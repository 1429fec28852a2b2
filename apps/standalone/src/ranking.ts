import { setTimeout as pause } from 'node:timers/promises';
import { limits } from './limits.js';

/** What the banner shows of a published row. */
export interface RankedTool {
  readonly rank: number;
  readonly name: string;
  readonly category: string;
  readonly score: number;
  /** Rounded, as published. */
  readonly developers: number;
}

interface PublicRow {
  readonly rank: number | null;
  readonly tool: { readonly name: string | null; readonly categorySlug: string | null };
  readonly score: { readonly value: number } | null;
  readonly metrics: { readonly developers: { readonly value: number } } | null;
}

/** The published ranking, read like anybody reads it; `null` while it is not served. */
async function readRanking(baseUrl: string): Promise<RankedTool[] | null> {
  const response = await fetch(`${baseUrl}/api/v1/agent-rank`, {
    signal: AbortSignal.timeout(limits.request_wait_ms),
  });
  const text = await response.text();
  if (response.status !== 200) return null;
  const { rows } = JSON.parse(text) as { rows: readonly PublicRow[] };
  return rows.flatMap(({ rank, tool, score, metrics }) =>
    rank === null || score === null || metrics === null
      ? []
      : [
          {
            rank,
            name: tool.name ?? '',
            category: tool.categorySlug ?? '',
            score: score.value,
            developers: metrics.developers.value,
          },
        ],
  );
}

/**
 * Waits until the ranking is served and holds so many tools, or time is up; answers with what
 * there is then.
 */
export async function awaitRanking(
  baseUrl: string,
  tools: number,
  stopping: AbortSignal,
): Promise<RankedTool[]> {
  const deadline = Date.now() + limits.ranking_wait_ms;
  for (;;) {
    const ranking = await readRanking(baseUrl).catch(() => null);
    if (ranking !== null && ranking.length >= tools) return ranking;
    if (Date.now() >= deadline || stopping.aborted) return ranking ?? [];
    await pause(limits.ranking_poll_ms, null, { signal: stopping }).catch(() => null);
  }
}
