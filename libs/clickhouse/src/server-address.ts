/** Where a server listens, and what else its address says. */
export interface ServerAddress {
  /** The address without its path. */
  readonly url: URL;
  readonly database: string | null;
  /** Cluster whose servers hold replicated tables. */
  readonly cluster: string | null;
  /** Bytes to this very machine cost less than compressing them, a third of an insert. */
  readonly isLoopback: boolean;
}

const name_form = /^\w{1,64}$/;

/** Reads `http://user:password@host:8123/database?cluster=name`; the last two may be missing. */
export function toServerAddress(text: string): ServerAddress {
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1)) || null;
  if (database !== null && !name_form.test(database)) {
    throw new Error(`"${database}" is no name of a ClickHouse database.`);
  }
  const cluster = url.searchParams.get('cluster');
  if (cluster !== null && !name_form.test(cluster)) {
    throw new Error(`"${cluster}" is no name of a ClickHouse cluster.`);
  }
  url.pathname = '';
  url.searchParams.delete('cluster');
  const { hostname } = url;
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return { url, database, cluster, isLoopback };
}
