/** Where tables live: one server, or every server of a named cluster with replicas. */
export type Topology =
  { readonly kind: 'single' } | { readonly kind: 'replicated'; readonly cluster: string };

export const single_server: Topology = { kind: 'single' };

/** A named cluster has replicated tables; without one there is a single server. */
export function topologyOf(cluster: string | null): Topology {
  return cluster === null ? single_server : { kind: 'replicated', cluster };
}
