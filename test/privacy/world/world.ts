import type { CataloguedTool } from '#domain/adoption/catalogued-tool.js';
import type { EventFamily } from '#domain/usage/event-catalogue.js';

/** An event, as far as the policy could ever learn of it. */
export interface Use {
  readonly tool: string;
  readonly developer: string;
  readonly account: string | null;
  /** Day of the world; day 0 is 1 January 2026. */
  readonly day: number;
  readonly family: EventFamily;
}

/** All that ever happened, and the directory; secret. */
export interface World {
  readonly tools: readonly CataloguedTool[];
  readonly uses: readonly Use[];
}

const day_ms = 86_400_000;
const day_zero = Date.parse('2026-01-01');

/** `dateOf(31) === '2026-02-01'`. */
export function dateOf(day: number): string {
  return new Date(day_zero + day * day_ms).toISOString().slice(0, 10);
}

export function catalogued(slug: string): CataloguedTool {
  return { id: `id-${slug}`, slug, name: slug.toUpperCase(), categorySlug: 'agents' };
}

/** A world without the uses that `isGone` names. */
export function without(world: World, isGone: (use: Use) => boolean): World {
  return { ...world, uses: world.uses.filter((use) => !isGone(use)) };
}

/** A world in which more has happened. */
export function withUses(world: World, uses: readonly Use[]): World {
  return { ...world, uses: [...world.uses, ...uses] };
}
