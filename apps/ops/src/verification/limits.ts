/** Every limit of the commands that read the whole log. */
export const verification_limits = {
  /**
   * Records of one portion, received and accepted ones together: what is remembered of each is
   * some 300 bytes (its id as text, a slot of a map, a small object) and of a claim some 600, so
   * a portion takes 75 to 150 MB at most.
   */
  portion_records_max: 250_000,
  /** Records fetched at once. */
  fetch_records_max: 2_000,
  /** Claims read by one query. */
  claims_page_max: 10_000,
  /** Offences that are listed by place; all of them are counted. */
  findings_listed_max: 50,
  /** How far the clocks of machines may be apart, where times of two of them are compared. */
  clock_skew_ms_max: 60_000,
} as const;
