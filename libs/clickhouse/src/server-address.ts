/** Where a server listens, and what else its address says. */
export interface ServerAddress {
  /** The address without its path. */
  readonly url: URL;
  readonly database: string | null;
  /** Bytes to this very machine cost less than compressing them, a third of an insert. */
  readonly isLoopback: boolean;
}

/** Reads `http://user:password@host:8123/database`; the path may be missing. */
export function toServerAddress(text: string): ServerAddress {
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1)) || null;
  if (database !== null && !/^\w{1,64}$/.test(database)) {
    throw new Error(`"${database}" is no name of a ClickHouse database.`);
  }
  url.pathname = '';
  const { hostname } = url;
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return { url, database, isLoopback };
}
