import { createServer, type AddressInfo } from 'node:net';
import { StartRefusedError } from './start-refused.js';

/** The port of the API: the one that is wished for, or a free one for 0. */
export async function claimPort(host: string, wished: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(refusal(error, host, wished)));
    server.listen(wished, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Where this machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartRefusedError(
        `Port ${port} of ${host} is in use. Set PORT to another one; PORT=0 takes a free one.`,
      );
    case 'EACCES':
      return new StartRefusedError(`Port ${port} needs privileges. Set PORT to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartRefusedError(
        `HOST ${host} is no address of this machine, or its name is not known.`,
      );
    case undefined:
    default:
      return error;
  }
}
