interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

const traceparent_pattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The W3C trace context of a request, when it carries a well-formed one. */
export function traceparentOf(headers: Headers): string | null {
  const sent = headers['traceparent'];
  return typeof sent === 'string' && traceparent_pattern.test(sent) ? sent : null;
}
