import { createHash } from 'node:crypto';

/** An answer as it is sent; equal bytes have equal tags. */
export interface RenderedPage {
  readonly body: Buffer;
  /** Strong entity tag, quotes included. */
  readonly etag: string;
}

/** The JSON of an answer with its tag. */
export function toRenderedPage(answer: object): RenderedPage {
  const body = Buffer.from(JSON.stringify(answer));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, etag };
}
