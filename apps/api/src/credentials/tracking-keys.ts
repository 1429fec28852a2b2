import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '#domain/errors.js';
import { credentialHash, credentialShape } from '#domain/credentials/credential.js';
import { isSignatureOf } from '#domain/credentials/signature.js';
import { isExpired } from '#domain/credentials/key-rotation.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import type { KeyUse } from '#postgres/organizations/key-use.js';
import type { TrackingKeyStore } from '#postgres/organizations/tracking-key-store.js';
import { ExpiringCache } from '#runtime/expiring-cache.js';
import { within } from '#runtime/within.js';
import { directoryUnreadable } from './directory-unreadable.js';

/** A revoked key stops working within this time. */
const principal_ttl_ms = 10_000;
const principals_max = 10_000;
const signature_header = 'x-service-signature';

/** A key as a request presents it. Nobody has said yet that it exists. */
export interface PresentedKey {
  readonly token: string;
  /** SHA-256 in hexadecimal: its name in memory and in the store. */
  readonly hash: string;
}

/** A key that exists, and for whom it speaks. */
export interface VerifiedKey extends PresentedKey {
  readonly principal: TrackingPrincipal;
}

/** What of a request tells who sends it. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly verifiedKey: VerifiedKey | null;
  /** The bytes as they were received, before any decoding. */
  readonly rawBody: Buffer | null;
}

/** Tells whom a tracking key speaks for, without a query for every request. */
export class TrackingKeys {
  private readonly principals: ExpiringCache<TrackingPrincipal | null>;

  constructor(
    store: TrackingKeyStore,
    private readonly use: KeyUse,
    /** Longest wait for the store to tell whom a key speaks for. */
    private readonly answerMsMax: number,
  ) {
    this.principals = new ExpiringCache(
      { ttlMs: principal_ttl_ms, entriesMax: principals_max },
      // The store is asked by hash, so no comparison of secrets takes place at all.
      (hashHex) => store.findPrincipal(Buffer.from(hashHex, 'hex')),
    );
  }

  /** Null when there is none. */
  presented(headers: IncomingHttpHeaders): PresentedKey | null {
    const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return null;
    return { token, hash: credentialHash(token).toString('hex') };
  }

  /** Whether the store knew the key when it was last asked, however long ago that is. */
  wasVerified(key: PresentedKey): boolean {
    return this.principals.known(key.hash, Number.NEGATIVE_INFINITY) != null;
  }

  /** The key if it was verified lately; null when `verify` has to find out. */
  known(key: PresentedKey, headers: IncomingHttpHeaders): VerifiedKey | null {
    const now = Date.now();
    const principal = this.principals.known(key.hash, now);
    if (principal == null || headers.origin !== undefined) return null;
    return isExpired(principal.expiresAt, now) ? null : { ...key, principal };
  }

  /** @throws ProblemError of kind `unauthenticated`, or `not_ready` while nobody can tell. */
  async verify(key: PresentedKey, headers: IncomingHttpHeaders): Promise<VerifiedKey> {
    refuseWrongShape(key.token);
    if (headers.origin !== undefined) {
      throw new ProblemError(
        'key_used_in_browser',
        'A tracking key arrived with an Origin header. Keep it on a server, and rotate this one.',
      );
    }
    const asked = this.principals.get(key.hash);
    const principal = await within(this.answerMsMax, asked).catch(directoryUnreadable);
    if (principal === null || isExpired(principal.expiresAt, Date.now())) {
      const detail = 'This tracking key is unknown, was revoked, or has expired.';
      throw new ProblemError('invalid_token', detail);
    }
    return { ...key, principal };
  }

  /**
   * Whom the key of an admitted request speaks for, once its body is there to check a signature.
   * @throws ProblemError `invalid_signature`
   */
  principalOf({ headers, verifiedKey, rawBody }: SignedRequest): TrackingPrincipal {
    if (verifiedKey === null) throw new Error('The endpoint is not in the table with a key.');
    const { principal, token } = verifiedKey;
    refuseWrongSignature(headers[signature_header], principal, rawBody, token);
    this.use.note(principal.keyId);
    return principal;
  }
}

// A signature that is sent has to be right, whether the key asks for one or not.
function refuseWrongSignature(
  sent: string | string[] | undefined,
  { requireSignature }: TrackingPrincipal,
  rawBody: Buffer | null,
  token: string,
): void {
  if (sent === undefined && !requireSignature) return;
  if (typeof sent === 'string' && isSignatureOf(sent, rawBody ?? Buffer.alloc(0), token)) return;
  const detail =
    sent === undefined
      ? `This key demands the header ${signature_header}.`
      : `${signature_header} is not the HMAC-SHA-256 of the body under this key.`;
  throw new ProblemError('invalid_signature', detail);
}

function refuseWrongShape(token: string): void {
  const shape = credentialShape(token);
  switch (shape.kind) {
    case 'trackingKey':
      return;
    case 'workflowToken':
    case 'enterpriseReadKey':
      throw new ProblemError('wrong_token_kind', 'This address takes a tracking key (trk_…).');
    case 'placeholder':
      throw new ProblemError(
        'placeholder_token',
        'The token is a placeholder: set the environment variable SERVICE_ADOPTION_KEY.',
      );
    case 'malformed':
      throw new ProblemError(
        'invalid_token',
        token.startsWith('trk_')
          ? 'This tracking key is cut off or mistyped: its last characters do not fit the others.'
          : 'This is not a tracking key: they begin with trk_.',
      );
  }
}
