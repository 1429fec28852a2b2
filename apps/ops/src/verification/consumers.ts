import type { Database } from '#postgres/database.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import {
  adoption_projection,
  adoptionVersion,
  type AdoptionTables,
} from '#read-models/adoption-version/adoption-version.js';

/** Consumer group of the clerk. */
export const clerk_group = 'ingest-worker-v1';

/** A projection of the accepted events, as the projector keeps it now. */
export interface KeptProjection {
  /** Consumer group whose commits say how far it is. */
  readonly group: string;
  readonly tables: AdoptionTables;
}

/** The projections that can be verified, by the name an operator gives. */
export const projection_names = [adoption_projection] as const;

/** The live version of the projection. */
export async function keptProjection(database: Database): Promise<KeptProjection> {
  const versions = new ProjectionVersions(database.manager, adoption_projection);
  const { group, tables } = adoptionVersion(await versions.live());
  return { group, tables };
}
