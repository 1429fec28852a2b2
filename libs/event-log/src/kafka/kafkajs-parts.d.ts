/** What the driver uses of kafkajs beside its public types; its version is pinned. */
declare module 'kafkajs/src/protocol/recordBatch/crc32C/index.js' {
  function crc32c(bytes: Uint8Array): number;
  export = crc32c;
}
declare module 'kafkajs/src/protocol/error.js' {
  const error: { createErrorFromCode(code: number): Error };
  export = error;
}
declare module 'kafkajs/src/protocol/encoder.js' {
  /** Writes the parts of a request. */
  class Encoder {
    constructor(bytes?: number);
    writeInt8(value: number): this;
    writeInt16(value: number): this;
    writeInt32(value: number): this;
    writeInt64(value: bigint): this;
    writeString(value: string | null): this;
    /** With its length before it. */
    writeBytes(bytes: Buffer): this;
  }
  export = Encoder;
}
declare module 'kafkajs/src/protocol/decoder.js' {
  /** Reads the parts of an answer. */
  class Decoder {
    constructor(bytes: Buffer);
    readInt16(): number;
    readInt32(): number;
    readInt64(): bigint;
    readString(): string | null;
    /** Null for a length of -1. */
    readBytes(): Buffer | null;
    /** Empty for a length of -1. */
    readArray<Item>(read: (decoder: Decoder) => Item): Item[];
  }
  export = Decoder;
}
/** For specs: another writer and reader of the same format. */
declare module 'kafkajs/src/protocol/recordBatch/record/v0/index.js' {
  import type Encoder from 'kafkajs/src/protocol/encoder.js';
  function record(content: {
    readonly offsetDelta: number;
    readonly timestampDelta: number;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers: Readonly<Record<string, string | string[]>>;
  }): Encoder;
  export = record;
}
declare module 'kafkajs/src/protocol/recordBatch/v0/index.js' {
  import type Encoder from 'kafkajs/src/protocol/encoder.js';
  const batch: {
    RecordBatch(content: {
      readonly compression: number;
      readonly firstOffset: bigint;
      readonly firstTimestamp: number;
      readonly lastOffsetDelta: number;
      readonly records: readonly Encoder[];
    }): Promise<Encoder & { readonly buffer: Buffer }>;
  };
  export = batch;
}
declare module 'kafkajs/src/protocol/recordBatch/v0/decoder.js' {
  import type Decoder from 'kafkajs/src/protocol/decoder.js';
  function decodeBatch(decoder: Decoder): Promise<{
    readonly producerId: string;
    readonly producerEpoch: number;
    readonly firstSequence: number;
    readonly records: readonly {
      readonly offset: string;
      readonly timestamp: string;
      readonly key: Buffer;
      readonly value: Buffer;
      readonly headers: Readonly<Record<string, Buffer>>;
    }[];
  }>;
  export = decodeBatch;
}
