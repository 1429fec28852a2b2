import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What a link does with bytes: `pass` both ways; `swallow` forwards requests and keeps the answers;
 * `hang` forwards nothing; `refuse` ends every new connection at once.
 */
export type LinkMode = 'pass' | 'swallow' | 'hang' | 'refuse';

/** A TCP link to a real server that a test can break in every way a network does. */
export class FaultyLink {
  mode: LinkMode = 'pass';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.connect(client));
  }

  static async open(targetUrl: string): Promise<FaultyLink> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FaultyLink(server, new URL(targetUrl));
  }

  /** The server's address by way of this link. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: String(port) }).href;
  }

  /** Ends every connection that there is now. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(client: Socket): void {
    if (this.mode === 'refuse') {
      client.destroy();
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (this.mode !== 'hang') server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (this.mode === 'pass') client.write(bytes);
    });
  }
}
