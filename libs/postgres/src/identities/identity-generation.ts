/**
 * A state of the registry, as one statement saw it: as long as neither number differs, no hash that
 * had a key has another. Whoever gives a registered hash another key raises the version of an
 * alias, and whoever takes keys away for an erasure the version of the erasure. Both hold the
 * identity lock, so versions become visible in their order; the sequences behind them would run
 * ahead of the commits. Erasures delete aliases, which may lower the second number, but never
 * without raising the first: so no generation comes twice. What `IdentityRegistry.forget` takes
 * away raises neither; whoever remembers it still meets an erased key, and forgets it too.
 */
export interface IdentityGeneration {
  /** Greatest version of an erasure. */
  readonly erasures: string;
  /** Greatest version of an alias. */
  readonly aliases: string;
}

/** The columns of an `IdentityGeneration`; two looks at the ends of two indexes. */
export const generation_columns = `
  (select coalesce(max(version), 0)::text from erasure) as erasures,
  (select coalesce(max(version), 0)::text from developer_alias) as aliases`;

export function isSameGeneration(one: IdentityGeneration, other: IdentityGeneration): boolean {
  return one.erasures === other.erasures && one.aliases === other.aliases;
}
