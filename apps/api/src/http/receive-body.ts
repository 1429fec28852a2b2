import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ProblemError } from '#domain/errors.js';

/** A body as it came over the wire, and as it reads. One and the same buffer without encoding. */
export interface ReceivedBody {
  readonly raw: Buffer;
  readonly content: Buffer;
}

export interface BodyLimits {
  /** Bound of both the received and the decompressed size. */
  readonly bytesMax: number;
  /** Called with the size of every piece that is kept, before it is kept; may refuse by a throw. */
  readonly take: (bytes: number) => void;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The encodings that are understood, as `Accept-Encoding` names them. */
export const body_encodings = 'gzip, deflate, br';

/**
 * Reads a request body and undoes its `Content-Encoding`. It stops at the first byte over the
 * limit, so a small body that would unfold into a large one is never unfolded.
 * @throws ProblemError `body_too_large`, `unsupported_encoding`, `malformed_request`, or
 * `invalid_body` when the compressed bytes are damaged.
 */
export async function receiveBody(
  message: IncomingMessage,
  limits: BodyLimits,
): Promise<ReceivedBody> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const decode = encoding === 'identity' ? null : decoderOf(encoding);
  const raw = new Pieces(limits);
  if (decode === null) {
    await eachPiece(message, (piece) => raw.add(piece));
    const content = raw.join();
    return { raw: content, content };
  }
  const content = new Pieces(limits);
  await decodeAll(message, decode(), raw, content);
  return { raw: raw.join(), content: content.join() };
}

/**
 * Refuses a body that announces to be too large.
 * @throws ProblemError `body_too_large`
 */
export function refuseAnnounced({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

/** Gathers buffers up to the limit. */
class Pieces {
  private readonly pieces: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly limits: BodyLimits) {}

  add(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes > this.limits.bytesMax) throw tooLarge(this.limits.bytesMax);
    this.limits.take(piece.length);
    this.pieces.push(piece);
  }

  join(): Buffer {
    return this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.bytes);
  }
}

function decoderOf(encoding: string): () => Transform {
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode !== undefined) return decode;
  throw new ProblemError(
    'unsupported_encoding',
    `The content encoding is not one of ${body_encodings}.`,
  );
}

// By events and not by iteration: leaving a loop over the message would destroy its socket before
// anybody could be told why.
function eachPiece(message: IncomingMessage, receive: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const fail = (error: Error) => {
      over = true;
      message.off('data', onData);
      reject(error);
    };
    const onData = (piece: Buffer) => {
      try {
        receive(piece);
      } catch (error) {
        fail(error as Error);
      }
    };
    const onEnd = () => {
      over = true;
      resolve();
    };
    const onClose = () => {
      if (!over) fail(brokenOff());
    };
    message.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

async function decodeAll(
  message: IncomingMessage,
  decoder: Transform,
  raw: Pieces,
  content: Pieces,
): Promise<void> {
  let over = false;
  const received = eachPiece(message, (piece) => {
    if (over) return;
    raw.add(piece);
    if (decoder.write(piece)) return;
    message.pause();
    decoder.once('drain', () => message.resume());
  }).then(() => decoder.end());
  const decoded = new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(error);
    decoder.on('data', (piece: Buffer) => {
      try {
        content.add(piece);
      } catch (error) {
        fail(error as Error);
      }
    });
    decoder.once('end', resolve).once('error', (error) => fail(damaged(error)));
  });
  try {
    await Promise.all([received, decoded]);
  } finally {
    over = true;
    decoder.destroy();
    message.resume();
  }
}

function damaged(cause: unknown): ProblemError {
  const detail = 'The body does not decompress with the content encoding that it names.';
  return new ProblemError('invalid_body', detail, { cause });
}

function brokenOff(): ProblemError {
  return new ProblemError('malformed_request', 'The request broke off before its end.');
}

function tooLarge(bytesMax: number): ProblemError {
  const detail = `The body is larger than ${bytesMax} bytes, counted after decompression.`;
  return new ProblemError('body_too_large', detail, { members: { maximum: bytesMax } });
}
