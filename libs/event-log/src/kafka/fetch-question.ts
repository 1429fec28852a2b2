import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import kafkaError from 'kafkajs/src/protocol/error.js';
import { read_committed } from './wire.js';
import type { WireQuestion } from './wire-question.js';

const fetch = { apiKey: 1, apiVersion: 11, apiName: 'Fetch' };
const no_replica = -1;
/** Sessions would spare naming the partitions; a broker that restarts forgets them. */
const session = { id: 0, epoch: -1 };
const unknown_epoch = -1;
const unknown_start = -1n;
const no_rack = '';

export interface FetchedTopic {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: bigint }[];
}

export interface FetchBounds {
  /** The broker answers with less than this only after `waitMs`. */
  readonly bytesMin: number;
  readonly waitMs: number;
  readonly partitionBytesMax: number;
  readonly bytesMax: number;
}

/** What came of one partition: whole batches, and perhaps a beginning of one more. */
export interface FetchedPartition {
  readonly topic: string;
  readonly partition: number;
  /** Why there is nothing, or null. */
  readonly refusal: Error | null;
  readonly highWatermark: bigint;
  readonly batches: Buffer;
}

/** Asks the leader of these partitions for what follows their offsets. */
export function fetchQuestion(
  topics: readonly FetchedTopic[],
  bounds: FetchBounds,
): WireQuestion<readonly FetchedPartition[]> {
  return { ...fetch, encode: () => encode(topics, bounds), decode };
}

function encode(topics: readonly FetchedTopic[], bounds: FetchBounds): Encoder {
  const encoder = new Encoder()
    .writeInt32(no_replica)
    .writeInt32(bounds.waitMs)
    .writeInt32(bounds.bytesMin)
    .writeInt32(bounds.bytesMax)
    .writeInt8(read_committed)
    .writeInt32(session.id)
    .writeInt32(session.epoch)
    .writeInt32(topics.length);
  for (const { topic, partitions } of topics) {
    encoder.writeString(topic).writeInt32(partitions.length);
    for (const { partition, offset } of partitions) {
      encoder
        .writeInt32(partition)
        .writeInt32(unknown_epoch)
        .writeInt64(offset)
        .writeInt64(unknown_start)
        .writeInt32(bounds.partitionBytesMax);
    }
  }
  const forgotten = 0;
  return encoder.writeInt32(forgotten).writeString(no_rack);
}

/** @throws when the broker refuses the whole request. */
function decode(bytes: Buffer) {
  const decoder = new Decoder(bytes);
  const throttleMs = decoder.readInt32();
  const refusal = refusalOf(decoder.readInt16());
  if (refusal !== null) throw refusal;
  // The session.
  decoder.readInt32();
  const topics = decoder.readArray(() => {
    const topic = decoder.readString() ?? '';
    return decoder.readArray(() => decodePartition(decoder, topic));
  });
  return { answer: topics.flat(), throttleMs };
}

function decodePartition(decoder: Decoder, topic: string): FetchedPartition {
  const partition = decoder.readInt32();
  const refusal = refusalOf(decoder.readInt16());
  const highWatermark = decoder.readInt64();
  // Where open transactions and the partition begin.
  decoder.readInt64();
  decoder.readInt64();
  const skipTransaction = () => [decoder.readInt64(), decoder.readInt64()];
  decoder.readArray(skipTransaction);
  // Which replica to read from.
  decoder.readInt32();
  const batches = decoder.readBytes() ?? Buffer.alloc(0);
  return { topic, partition, refusal, highWatermark, batches };
}

function refusalOf(errorCode: number): Error | null {
  return errorCode === 0 ? null : kafkaError.createErrorFromCode(errorCode);
}
