import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { StatementRefusedError } from './statement.js';

/**
 * The whole body, decompressed.
 * @throws StatementRefusedError when it is larger than `bytes_max`, in either form.
 */
export async function readBody(request: IncomingMessage, bytes_max: number): Promise<Buffer> {
  return gathered(decoded(request), bytes_max);
}

function decoded(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  switch (encoding) {
    case 'identity':
      return request;
    case 'gzip':
      return piped(request, createGunzip());
    case 'deflate':
      return piped(request, createInflate());
    case 'br':
      return piped(request, createBrotliDecompress());
  }
  const message = `Unknown compression method ${encoding}.`;
  throw new StatementRefusedError(89, 'UNKNOWN_COMPRESSION_METHOD', message);
}

function piped(request: IncomingMessage, decoder: ReturnType<typeof createGunzip>): Readable {
  request.once('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}

async function gathered(stream: Readable, bytes_max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request itself stays open on a refusal: the answer goes out on its connection.
  const reading = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of reading) {
    bytes += chunk.length;
    if (bytes > bytes_max) {
      const message = `The request body is larger than ${bytes_max} bytes.`;
      throw new StatementRefusedError(307, 'TOO_MANY_BYTES', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
