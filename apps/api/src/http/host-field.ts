import type { IncomingMessage } from 'node:http';

const host = 'host';

/** How often a request names its host. Of several fields Node keeps the first and tells nobody. */
export function hostsNamed({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === host.length && name.toLowerCase() === host) hosts += 1;
  }
  return hosts;
}
