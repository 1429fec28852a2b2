import { newCredential } from '#domain/credentials/credential.js';
import type { ErrorCode } from '#domain/errors.js';
import { askRaw, type ContractAnswer } from '../contract-answer.js';
import type { ContractRow } from '../contract-row.js';
import { newEvent, newKey, type ContractServices } from '../contract-services.js';
import { whileKeysAreUnreadable } from '../store-trouble.js';
import { send } from './send.js';

interface Address {
  readonly path: string;
  readonly bodyOf: (event: object) => object;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const credentials: readonly {
  readonly code: ErrorCode;
  readonly when: string;
  readonly headers: Readonly<Record<string, string>>;
}[] = [
  { code: 'missing_token', when: 'no token', headers: { authorization: '' } },
  { code: 'invalid_token', when: 'a token of nobody', headers: bearer('trk_nobody') },
  { code: 'placeholder_token', when: 'a placeholder', headers: bearer('${SERVICE_ADOPTION_KEY}') },
  {
    code: 'wrong_token_kind',
    when: 'a workflow token',
    headers: bearer(newCredential('workflowToken')),
  },
  {
    code: 'invalid_signature',
    when: 'a signature of something else',
    headers: { 'x-service-signature': `sha256=${'0'.repeat(64)}` },
  },
  {
    code: 'key_used_in_browser',
    when: 'a page that holds the key',
    headers: { origin: 'https://page.example' },
  },
];

/** What a request with a tracking key meets before anybody looks at its event. */
export function doorRows({ path, bodyOf }: Address): readonly ContractRow[] {
  const endpoint = `POST ${path}`;
  const large = (characters: number) => bodyOf({ ...newEvent(), note: 'n'.repeat(characters) });
  return [
    ...credentials.map(({ code, when, headers }): ContractRow => ({
      endpoint,
      status: 401,
      code,
      when,
      ask: ({ plain }) => send(plain, path, bodyOf(newEvent()), headers),
    })),
    {
      endpoint,
      status: 408,
      code: 'request_timeout',
      when: 'half a body',
      ask: (services) => sendHalf(services, path),
    },
    {
      endpoint,
      status: 413,
      code: 'body_too_large',
      when: 'a body over the maximum',
      ask: ({ plain, narrow }) => send(plain, path, large(5_000), {}, narrow),
    },
    {
      endpoint,
      status: 415,
      code: 'unsupported_media_type',
      when: 'a body of XML',
      ask: ({ plain }) => send(plain, path, '<event/>', { 'content-type': 'application/xml' }),
    },
    {
      endpoint,
      status: 415,
      code: 'unsupported_encoding',
      when: 'an encoding nobody reads',
      ask: ({ plain }) => send(plain, path, '{}', { 'content-encoding': 'compress' }),
    },
    ...shortageRows({ path, bodyOf }, endpoint, large),
  ];
}

function shortageRows(
  { path, bodyOf }: Address,
  endpoint: string,
  large: (characters: number) => object,
): readonly ContractRow[] {
  return [
    {
      endpoint,
      status: 429,
      code: 'rate_limited',
      when: 'a second request where one is taken a day',
      ask: async ({ plain, limited }) => {
        const key = bearer(await newKey(plain));
        await send(plain, path, bodyOf(newEvent()), key, limited);
        return send(plain, path, bodyOf(newEvent()), key, limited);
      },
    },
    {
      endpoint,
      status: 503,
      code: 'overloaded',
      when: 'a body that does not fit beside those under way',
      ask: ({ plain, narrow }) => send(plain, path, large(2_000), {}, narrow),
    },
    {
      endpoint,
      status: 503,
      code: 'not_ready',
      when: 'the keys cannot be read',
      ask: async ({ plain }) => {
        const key = bearer(await newKey(plain));
        return whileKeysAreUnreadable(plain.config.databaseUrl!, () =>
          send(plain, path, bodyOf(newEvent()), key),
        );
      },
    },
  ];
}

function sendHalf({ plain, hasty }: ContractServices, path: string): Promise<ContractAnswer> {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(hasty).host}`,
    'Content-Type: application/json',
    `Authorization: Bearer ${plain.organizationKey}`,
    'Content-Length: 100',
  ];
  return askRaw(hasty, `${lines.join('\r\n')}\r\n\r\n{"event_name":`);
}
