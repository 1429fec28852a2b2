import type Encoder from 'kafkajs/src/protocol/encoder.js';

/** A request that the driver encodes by itself, in a version that every supported broker takes. */
export interface WireQuestion<Answer> {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly apiName: string;
  encode(): Encoder;
  decode(bytes: Buffer): { readonly answer: Answer; readonly throttleMs: number };
}

/** What a broker of kafkajs offers to requests that are not its own. */
export interface AskedBroker {
  readonly connectionPool: { send<Answer>(request: WireRequest<Answer>): Promise<Answer> };
  disconnect(): Promise<void>;
}

/** A question as kafkajs sends it. */
interface WireRequest<Answer> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<Encoder>;
  };
  readonly response: {
    readonly decode: (bytes: Buffer) => Promise<DecodedAnswer<Answer>>;
    readonly parse: (decoded: DecodedAnswer<Answer>) => Promise<Answer>;
  };
}

interface DecodedAnswer<Answer> {
  readonly answer: Answer;
  /** How long the broker wants to hear nothing, which kafkajs sees to. */
  readonly clientSideThrottleTime: number;
}

/** Asks on the connections that kafkajs keeps, as it does with requests of its own. */
export async function ask<Answer>(
  broker: AskedBroker,
  question: WireQuestion<Answer>,
): Promise<Answer> {
  const { apiKey, apiVersion, apiName } = question;
  try {
    return await broker.connectionPool.send({
      request: { apiKey, apiVersion, apiName, encode: async () => question.encode() },
      response: {
        decode: async (bytes) => {
          const { answer, throttleMs } = question.decode(bytes);
          return { answer, clientSideThrottleTime: throttleMs };
        },
        parse: async ({ answer }) => answer,
      },
    });
  } catch (error) {
    if ((error as Error).name === 'KafkaJSConnectionClosedError') await broker.disconnect();
    throw error;
  }
}
