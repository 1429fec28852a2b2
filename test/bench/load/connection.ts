import { connect, type Socket } from 'node:net';
import type { ExpectedAnswer } from './load-plan.js';

const read_bytes = 64 * 1024;
const head_bytes_max = 8 * 1024;
const shown_characters = 300;

/** Called for each answer; `wrong` shows it when it was not the expected one. */
export type AnswerListener = (wrong: string | null) => void;

/**
 * One keep-alive connection with one request at a time under way. It reads no more of an answer
 * than its status, its length and the beginning of its body: a full parser would cost the cores
 * that the service is measured on.
 */
export class LoadConnection {
  private head = '';
  private status = 0;
  private bodyLeft = -1;
  private bodyStart = '';
  private listener: AnswerListener | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly expected: ExpectedAnswer,
  ) {}

  static open(url: string, expected: ExpectedAnswer): Promise<LoadConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(read_bytes),
          callback: (length, buffer) => {
            connection.receive(buffer as Buffer, length);
            return true;
          },
        },
      });
      const connection = new LoadConnection(socket, expected);
      socket.once('connect', () => resolve(connection));
      socket.once('error', (error) => {
        reject(error);
        connection.answer(`connection lost: ${error.message}`);
      });
      socket.once('close', () => connection.answer('connection closed by the server'));
    });
  }

  /** Sends one request; the bytes must stay as they are until the listener is called. */
  send(request: Buffer, listener: AnswerListener): void {
    this.listener = listener;
    if (this.socket.destroyed) this.answer('connection closed by the server');
    else this.socket.write(request);
  }

  close(): void {
    this.listener = null;
    this.socket.destroy();
  }

  private receive(buffer: Buffer, length: number): void {
    const bodyAt = this.bodyLeft >= 0 ? 0 : this.receiveHead(buffer, length);
    if (bodyAt < 0) return;
    const wanted = Math.max(this.expected.bodyStart.length, this.isWrongStatus() ? 1 : 0);
    if (this.bodyStart.length < wanted) {
      const characters = this.isWrongStatus() ? shown_characters : wanted - this.bodyStart.length;
      this.bodyStart += buffer.toString('latin1', bodyAt, Math.min(length, bodyAt + characters));
    }
    this.bodyLeft -= length - bodyAt;
    if (this.bodyLeft <= 0) this.finish();
  }

  /** Where the body begins in `buffer`, or -1 when the head goes on in what is still to come. */
  private receiveHead(buffer: Buffer, length: number): number {
    const before = this.head.length;
    this.head += buffer.toString('latin1', 0, Math.min(length, head_bytes_max));
    const end = this.head.indexOf('\r\n\r\n');
    if (end === -1) {
      if (this.head.length > head_bytes_max) this.answer('an endless head');
      return -1;
    }
    this.status = Number(this.head.slice(9, 12));
    const declared = /\r\ncontent-length: *(\d+)/i.exec(this.head.slice(0, end + 2));
    this.bodyLeft = this.status === 304 ? 0 : Number(declared?.[1] ?? Number.NaN);
    if (Number.isNaN(this.bodyLeft)) this.answer('an answer without Content-Length');
    return end + 4 - before;
  }

  private isWrongStatus(): boolean {
    return this.status !== this.expected.status;
  }

  private finish(): void {
    const right = !this.isWrongStatus() && this.bodyStart.startsWith(this.expected.bodyStart);
    this.answer(right ? null : `${this.status} ${this.bodyStart.slice(0, shown_characters)}`);
  }

  private answer(wrong: string | null): void {
    this.head = '';
    this.bodyStart = '';
    this.bodyLeft = -1;
    const listener = this.listener;
    this.listener = null;
    listener?.(wrong);
  }
}
