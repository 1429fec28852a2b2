import { hash } from 'node:crypto';

const block_bytes = 64;
const digest_bytes = 32;
/** Room for most messages; a longer one makes more. */
const message_bytes = 1024;

/** Keyed hashes that stand for identifiers. */
export interface IdentityHashes {
  /** Hash of a developer id, which means something only within its organization; 64 hex digits. */
  developer(organizationId: string, developerId: string): string;
  /** Hash of a normalised e-mail address, the same in every organization; 64 hex digits. */
  email(normalisedEmail: string): string;
}

/** Hashes developer identities with a secret key, so that no raw identifier leaves the door. */
export class IdentityHasher implements IdentityHashes {
  private inner: Buffer;
  private readonly outer: Buffer;

  /** `pepper`: the secret key, at least 32 characters; it must never change once events exist. */
  constructor(pepper: string) {
    const bytes = Buffer.from(pepper, 'utf8');
    const key = Buffer.alloc(block_bytes);
    (bytes.length > block_bytes ? hash('sha256', bytes, 'buffer') : bytes).copy(key);
    this.inner = Buffer.concat([key.map((byte) => byte ^ 0x36)], block_bytes + message_bytes);
    this.outer = Buffer.concat([key.map((byte) => byte ^ 0x5c)], block_bytes + digest_bytes);
  }

  developer(organizationId: string, developerId: string): string {
    return this.hmac(`developer:${organizationId}:${developerId}`);
  }

  email(normalisedEmail: string): string {
    return this.hmac(`email:${normalisedEmail}`);
  }

  // HMAC-SHA-256 by its definition (RFC 2104): two one-shot hashes over blocks that already begin
  // with the key cost a third of createHmac. Digests are told as text, which is cheaper than bytes.
  private hmac(message: string): string {
    const { outer } = this;
    if (this.inner.length < block_bytes + 3 * message.length) {
      this.inner = Buffer.concat([this.inner], block_bytes + 3 * message.length);
    }
    const bytes = this.inner.write(message, block_bytes, 'utf8');
    const digest = hash('sha256', this.inner.subarray(0, block_bytes + bytes), 'binary');
    outer.write(digest, block_bytes, 'latin1');
    return hash('sha256', outer, 'hex');
  }
}

/**
 * An e-mail address in the form that is hashed: lower case, the domain in ASCII.
 * `normaliseEmail('Ada@Bücher.example')` is `ada@xn--bcher-kva.example`.
 */
export function normaliseEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at).toLowerCase()}@${asciiDomain(email.slice(at + 1))}`;
}

/** The domain of an address that `normaliseEmail` returned. */
export function emailDomainOf(normalisedEmail: string): string {
  return normalisedEmail.slice(normalisedEmail.lastIndexOf('@') + 1);
}

/** A host name in lower-case ASCII; unchanged but for its case where it is not a host name. */
export function asciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  if (/^[a-z0-9.-]*$/.test(lower)) return lower;
  return URL.canParse(`http://${lower}`) ? new URL(`http://${lower}`).hostname : lower;
}
