/** Follows `FROM … AS usage`: finds the developer that a row's key is an alias of. */
export const alias_join = `LEFT ANY JOIN
(
    SELECT dev_key, canonical_key FROM developer_alias_v1 FINAL
) AS alias ON usage.dev_key = alias.dev_key`;

/** The key of the developer of a row, after `alias_join`; no developer has the key 0. */
export const canonical_developer =
  'if(alias.canonical_key = 0, usage.dev_key, alias.canonical_key)';
