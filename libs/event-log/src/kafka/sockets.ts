import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

const keep_alive_ms = 60_000;

interface SocketTarget {
  readonly host: string;
  readonly port: number;
  readonly ssl: ConnectionOptions;
  readonly onConnect: () => void;
}

/** The sockets of one cluster; once they are given up, none is opened or written any more. */
export class Sockets {
  private readonly sockets = new Set<Socket>();
  private givenUp = false;

  get size(): number {
    return this.sockets.size;
  }

  connect({ host, port, ssl, onConnect }: SocketTarget): Socket {
    // kafkajs's types promise TLS options; without TLS there are none.
    const tls = ssl as ConnectionOptions | null | undefined;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket =
      tls == null
        ? connectTcp({ host, port }, onConnect)
        : connectTls({ host, port, ...name, ...tls }, onConnect);
    socket.setKeepAlive(true, keep_alive_ms);
    socket.setNoDelay(true);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (this.givenUp) destroy(socket);
    return socket;
  }

  giveUp(): void {
    this.givenUp = true;
    for (const socket of this.sockets) destroy(socket);
  }
}

/** kafkajs hears of an error, not of a close; without one it would go on waiting for answers. */
function destroy(socket: Socket): void {
  socket.destroy(new Error('given up'));
}
