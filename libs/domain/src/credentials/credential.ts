import { hash, randomBytes } from 'node:crypto';

/** Kinds of secrets that callers present as bearer tokens, by their prefix. */
export const credential_prefixes = {
  trackingKey: 'trk_',
  workflowToken: 'wft_',
  enterpriseReadKey: 'ent_',
} as const;

export type CredentialKind = keyof typeof credential_prefixes;

const secret_characters = 43;
const checksum_characters = 6;

/** What a bearer token turns out to be before any store is asked. */
export type CredentialShape =
  | { readonly kind: CredentialKind }
  | { readonly kind: 'placeholder' }
  | { readonly kind: 'malformed' };

/**
 * A new secret: prefix, 256 random bits in base64url, and a checksum by which scanners recognise a
 * leaked one. It is shown once; only `credentialHash` of it is kept.
 */
export function newCredential(kind: CredentialKind): string {
  const secret = `${credential_prefixes[kind]}${randomBytes(32).toString('base64url')}`;
  return secret + checksum(secret);
}

/** Tells a credential by prefix, length and checksum; `${DAI_TOKEN}` is a placeholder. */
export function credentialShape(token: string): CredentialShape {
  if (/^(\$\{?[A-Za-z_][A-Za-z0-9_]*\}?|<[^<>]*>)$/.test(token)) return { kind: 'placeholder' };
  for (const [kind, prefix] of Object.entries(credential_prefixes)) {
    if (!token.startsWith(prefix)) continue;
    const end = prefix.length + secret_characters;
    const whole = token.length === end + checksum_characters;
    return whole && token.slice(end) === checksum(token.slice(0, end))
      ? { kind: kind as CredentialKind }
      : { kind: 'malformed' };
  }
  return { kind: 'malformed' };
}

/** SHA-256 of a credential, the only form in which it is stored or looked up. */
export function credentialHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Enough of a credential to recognise it in a list, too little to use it. */
export function displayPrefix(token: string): string {
  return token.slice(0, 10);
}

function checksum(secret: string): string {
  return hash('sha256', `uptake:${secret}`, 'base64url').slice(0, checksum_characters);
}
