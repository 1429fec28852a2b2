import { RawConnection } from '../http/raw-connection.js';

/** An answer of the service, with its body as text. */
export interface ContractAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The service that answered. */
  readonly baseUrl: string;
}

/** Sends a request and follows no redirect. */
export async function ask(
  baseUrl: string,
  path: string,
  request: RequestInit = {},
): Promise<ContractAnswer> {
  const answer = await fetch(baseUrl + path, { redirect: 'manual', ...request });
  const { status, headers } = answer;
  return { status, headers, text: await answer.text(), baseUrl };
}

/** Sends exactly these bytes and reads until the service hangs up. */
export async function askRaw(baseUrl: string, bytes: string): Promise<ContractAnswer> {
  const connection = await RawConnection.open(baseUrl);
  await connection.send(bytes);
  const answered = await connection.untilClosed();
  const [head = '', ...body] = answered.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const fields = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(fields),
    text: body.join('\r\n\r\n'),
    baseUrl,
  };
}
