import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  crc32,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { LogRecordInput } from '../event-log.js';
import { CorruptFrameError, decodeFrame, encodeFrame, type FrameRecord } from './frame-codec.js';
import { decodeFirstFrame } from './first-frame-codec.js';

const compressInThreadPool = promisify(brotliCompress);
/** Below this a trip to the thread pool costs more than the compression, which takes 1 ms. */
const inline_bytes_max = 1024 * 1024;
/** The first version begins with a length, whose first byte is far smaller. */
const second_version = 0x82;
/** Version, length of the frame, checksum of what follows. */
const head_bytes = 1 + 4 + 4;
const length_bytes = 4;

/**
 * The stored form of records: version, length of the frame in four bytes, CRC-32 of the rest in
 * four, then the frame in Brotli of quality 1, which takes half the time of zlib's level 1.
 */
export async function toStoredFrame(records: readonly LogRecordInput[]): Promise<Buffer> {
  const frame = encodeFrame(records);
  const options = {
    // Most frames leave in one chunk, and no chunk is far larger than what it takes.
    chunkSize: Math.max(1024, frame.length >> 2),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_SIZE_HINT]: frame.length,
    },
  };
  const compressed =
    frame.length <= inline_bytes_max
      ? brotliCompressSync(frame, options)
      : await compressInThreadPool(frame, options);
  const head = Buffer.allocUnsafe(head_bytes);
  head.writeUInt8(second_version);
  head.writeUInt32BE(frame.length, 1);
  head.writeUInt32BE(crc32(compressed), 5);
  return Buffer.concat([head, compressed]);
}

/**
 * Reads what any version stored.
 * @throws CorruptFrameError when version, length or checksum do not fit.
 */
export function fromStoredFrame(stored: Buffer): FrameRecord[] {
  if (stored[0] !== second_version) return decodeFirstFrame(expandFirstFrame(stored));
  if (stored.length < head_bytes) throw new CorruptFrameError('it ends early');
  const compressed = stored.subarray(head_bytes);
  if (crc32(compressed) !== stored.readUInt32BE(5)) {
    throw new CorruptFrameError('its checksum differs');
  }
  return decodeFrame(expand(brotliDecompressSync, compressed, stored.readUInt32BE(1)));
}

/** The first version: length in four bytes, then zlib with its own checksum. */
function expandFirstFrame(stored: Buffer): Buffer {
  if (stored.length < length_bytes) throw new CorruptFrameError('it has no length');
  return expand(inflateSync, stored.subarray(length_bytes), stored.readUInt32BE(0));
}

type Decompress = (compressed: Buffer, options: ZlibOptions) => Buffer;

function expand(decompress: Decompress, compressed: Buffer, length: number): Buffer {
  let frame: Buffer;
  try {
    // One chunk for all of it, and a limit for what claims to be less than it is.
    const size = Math.max(64, length);
    frame = decompress(compressed, { chunkSize: size, maxOutputLength: size });
  } catch (error) {
    throw new CorruptFrameError(error instanceof Error ? error.message : String(error));
  }
  if (frame.length !== length) {
    throw new CorruptFrameError(`it holds ${frame.length} bytes instead of ${length}`);
  }
  return frame;
}
