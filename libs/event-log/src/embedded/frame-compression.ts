import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflateSync } from 'node:zlib';
import { CorruptFrameError } from './frame-codec.js';

const deflateInThreadPool = promisify(deflate);
/** Below this a trip to the thread pool costs more than the compression. */
const inline_bytes_max = 32 * 1024;
/** Most frames leave in one chunk; more trips or a larger window cost time and save nothing. */
const options = { level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024, memLevel: 7 };
const length_bytes = 4;

/**
 * The stored form of a frame: its length in four bytes, then zlib level 1 (with its checksum).
 * Larger frames are compressed off the event loop.
 */
export async function compressFrame(frame: Buffer): Promise<Buffer> {
  const length = Buffer.allocUnsafe(length_bytes);
  length.writeUInt32BE(frame.length);
  const compressed =
    frame.length <= inline_bytes_max
      ? deflateSync(frame, options)
      : await deflateInThreadPool(frame, options);
  return Buffer.concat([length, compressed]);
}

/** @throws CorruptFrameError when length or checksum do not fit. */
export function expandFrame(stored: Buffer): Buffer {
  if (stored.length < length_bytes) throw new CorruptFrameError('it has no length');
  const length = stored.readUInt32BE(0);
  const frame = inflate(stored.subarray(length_bytes), length);
  if (frame.length !== length) {
    throw new CorruptFrameError(`it holds ${frame.length} bytes instead of ${length}`);
  }
  return frame;
}

function inflate(compressed: Buffer, length: number): Buffer {
  try {
    return inflateSync(compressed, { maxOutputLength: Math.max(length, 1) });
  } catch (error) {
    throw new CorruptFrameError(error instanceof Error ? error.message : String(error));
  }
}
