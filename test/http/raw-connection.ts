import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const wait_ms_max = 30_000;

/** A connection that says exactly what it is told to, for requests no client would send. */
export class RawConnection {
  private text = '';
  private readonly closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => (this.text += piece));
    // A connection cut by the other side is what most of these specs wait for.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Resolves when the piece is on its way; false once the other side has hung up. */
  async send(piece: string | Buffer): Promise<boolean> {
    if (this.socket.destroyed || !this.socket.writable) return false;
    if (this.socket.write(piece)) return true;
    await Promise.race([once(this.socket, 'drain').catch(() => undefined), this.closed]);
    return !this.socket.destroyed;
  }

  /** Everything that was answered before the other side hung up. */
  async untilClosed(): Promise<string> {
    const late = new Promise((_resolve, reject) => {
      setTimeout(() => reject(new Error('The connection stays open.')), wait_ms_max).unref();
    });
    await Promise.race([this.closed, late]);
    return this.text;
  }

  get answered(): string {
    return this.text;
  }

  close(): void {
    this.socket.destroy();
  }
}
