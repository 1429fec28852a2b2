import { createHash } from 'node:crypto';

/** An answer as it is sent. */
export interface RenderedPage {
  readonly body: Buffer;
  /** Strong entity tag, quotes included. */
  readonly etag: string;
  /** Header fields that go with the body, `content-type` among them. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * A page with its tag. The tag stands for `identity`, what the page is of, and for every byte of
 * the body: neither another question nor another wording is ever taken for the same page.
 */
export function toRenderedPage(
  text: string,
  fields: RenderedPage['fields'] & { readonly 'content-type': string },
  identity = '',
): RenderedPage {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(fields['content-type']).update('\0');
  const digest = hash.update(identity).update('\0').update(body).digest('base64url');
  return { body, etag: `"${digest}"`, fields };
}
