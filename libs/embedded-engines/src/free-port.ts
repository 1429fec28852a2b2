import { createServer } from 'node:net';

/**
 * A TCP port of the loopback interface that nobody listens on at this moment. Another program may
 * take it before the caller does, so a caller must be able to report a busy port.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
