import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import {
  storedLength,
  writeBatch,
  type BatchOrigin,
  type SealedBatch,
} from './record-batch/stored-batch.js';
import type { WireQuestion } from './wire-question.js';

const produce = { apiKey: 0, apiVersion: 7, apiName: 'Produce' };
const all_replicas = -1;
/** Names of topics and lengths before the batches. */
const frame_bytes = 1_024;

export interface ProducedBatch {
  readonly partition: number;
  readonly batch: SealedBatch;
  readonly origin: BatchOrigin;
}

/** What became of the batch of one partition: `errorCode` is 0 when it is stored. */
export interface ProduceAnswer {
  readonly partition: number;
  readonly errorCode: number;
  readonly baseOffset: bigint;
}

/**
 * Stores batches of one topic on the broker that leads their partitions, and answers for each of
 * them once every replica in sync has it, or after `timeoutMs`.
 */
export function produceQuestion(
  topic: string,
  batches: readonly ProducedBatch[],
  timeoutMs: number,
): WireQuestion<readonly ProduceAnswer[]> {
  return { ...produce, encode: () => encode(topic, batches, timeoutMs), decode };
}

function encode(topic: string, batches: readonly ProducedBatch[], timeoutMs: number): Encoder {
  const bytes = batches.reduce((sum, { batch }) => sum + storedLength(batch), frame_bytes);
  const noTransaction = null;
  const encoder = new Encoder(bytes)
    .writeString(noTransaction)
    .writeInt16(all_replicas)
    .writeInt32(timeoutMs)
    .writeInt32(1)
    .writeString(topic)
    .writeInt32(batches.length);
  for (const { partition, batch, origin } of batches) {
    const stored = Buffer.allocUnsafe(storedLength(batch));
    writeBatch(stored, batch, origin);
    encoder.writeInt32(partition).writeBytes(stored);
  }
  return encoder;
}

function decode(bytes: Buffer) {
  const decoder = new Decoder(bytes);
  const answers = decoder.readArray(() => {
    decoder.readString();
    return decoder.readArray((): ProduceAnswer => {
      const partition = decoder.readInt32();
      const errorCode = decoder.readInt16();
      const baseOffset = decoder.readInt64();
      // When it was appended, and where the partition begins.
      decoder.readInt64();
      decoder.readInt64();
      return { partition, errorCode, baseOffset };
    });
  });
  return { answer: answers.flat(), throttleMs: decoder.readInt32() };
}
