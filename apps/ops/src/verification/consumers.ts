/** Consumer group of the clerk. */
export const clerk_group = 'ingest-worker-v1';

/** A projection of the accepted events, as the projector keeps it now. */
export interface KeptProjection {
  /** Consumer group whose commits say how far it is. */
  readonly group: string;
  /** Raw table in the column store. */
  readonly table: string;
}

/** The projections that can be verified, by the name an operator gives. */
export const kept_projections: Readonly<Record<string, KeptProjection>> = {
  adoption: { group: 'projector-usage-v1', table: 'usage_events_v1' },
};
