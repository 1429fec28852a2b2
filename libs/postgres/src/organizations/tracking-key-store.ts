import { IsNull, type DataSource, type EntityManager } from 'typeorm';
import { credentialHash, displayPrefix, newCredential } from '#domain/credentials/credential.js';
import {
  isExpired,
  rotationVerdict,
  type RotationRefusal,
} from '#domain/credentials/key-rotation.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { TrackingKeyRecord } from './tracking-key.record.js';

/** Whom a tracking key speaks for. */
export interface TrackingPrincipal {
  readonly keyId: string;
  readonly organizationId: string;
  /** The product that a product key implies. */
  readonly productId: string | null;
  readonly requireSignature: boolean;
  /** Epoch milliseconds from which the key is no good; whoever remembers it must look. */
  readonly expiresAt: number | null;
}

export interface TrackingKeyDraft {
  readonly organizationId: string;
  readonly productId: string | null;
  readonly name?: string;
  readonly requireSignature?: boolean;
}

export interface IssuedTrackingKey {
  readonly keyId: string;
  /** The key itself, shown this once. */
  readonly trackingKey: string;
}

/** A key as lists show it: everything but the secret. */
export type ListedTrackingKey = Omit<TrackingKeyRecord, 'secretHash'>;

export type RotationOutcome =
  | {
      readonly kind: 'rotated';
      readonly successor: IssuedTrackingKey;
      /** Until when the old key works, too. */
      readonly expiresAt: Date;
    }
  | { readonly kind: 'refused'; readonly reason: RotationRefusal };

/** The tracking keys: issued once, listed without secrets, rotated, revoked. */
export class TrackingKeyStore {
  constructor(private readonly database: DataSource) {}

  issue(draft: TrackingKeyDraft): Promise<IssuedTrackingKey> {
    return insertKey(this.database.manager, draft);
  }

  /** Newest first; all organizations without an id. */
  list(organizationId?: string): Promise<readonly ListedTrackingKey[]> {
    return this.database.getRepository(TrackingKeyRecord).find({
      select: {
        id: true,
        organizationId: true,
        productId: true,
        displayPrefix: true,
        name: true,
        requireSignature: true,
        createdAt: true,
        expiresAt: true,
        successorId: true,
        lastUsedAt: true,
        revokedAt: true,
      },
      where: organizationId === undefined ? {} : { organizationId },
      order: { id: 'DESC' },
    });
  }

  /**
   * Issues a successor of the same scope; the old key ends when the overlap is over. Of two
   * rotations at once the second finds the first one's mark.
   */
  rotate(keyId: string, overlapMs: number, now: number): Promise<RotationOutcome> {
    return this.database.transaction(async (manager) => {
      const key = await manager
        .getRepository(TrackingKeyRecord)
        .findOne({ where: { id: keyId }, lock: { mode: 'pessimistic_write' } });
      const refusal = rotationVerdict(key, now);
      if (refusal !== null || key === null) {
        return { kind: 'refused', reason: refusal ?? 'not_found' };
      }
      const { organizationId, productId, name, requireSignature } = key;
      const draft = { organizationId, productId, name, requireSignature };
      const successor = await insertKey(manager, draft);
      const expiresAt = new Date(now + overlapMs);
      await manager
        .getRepository(TrackingKeyRecord)
        .update({ id: keyId }, { expiresAt, successorId: successor.keyId });
      return { kind: 'rotated', successor, expiresAt };
    });
  }

  /** From now on the key is no good. False when there is no such key that was not revoked yet. */
  async revoke(keyId: string): Promise<boolean> {
    const { affected } = await this.database
      .getRepository(TrackingKeyRecord)
      .update({ id: keyId, revokedAt: IsNull() }, { revokedAt: new Date() });
    return affected === 1;
  }

  /** The principal of a key that exists, is not revoked and has not expired. */
  async findPrincipal(secretHash: Buffer): Promise<TrackingPrincipal | null> {
    const key = await this.database
      .getRepository(TrackingKeyRecord)
      .findOneBy({ secretHash, revokedAt: IsNull() });
    if (key === null) return null;
    const expiresAt = key.expiresAt?.getTime() ?? null;
    if (isExpired(expiresAt, Date.now())) return null;
    const { id: keyId, organizationId, productId, requireSignature } = key;
    return { keyId, organizationId, productId, requireSignature, expiresAt };
  }

  /**
   * Writes down when keys were used, in epoch milliseconds; an older time never replaces a later
   * one.
   */
  async markUsed(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    // In the order of ids, so that two processes that mark the same keys cannot lock each other.
    await this.database.query(
      `with used as (
         select id, to_timestamp(at / 1000.0) as at
         from unnest($1::uuid[], $2::float8[]) as used (id, at)),
       locked as (
         select id from tracking_key where id in (select id from used) order by id for update)
       update tracking_key set last_used_at = used.at
       from used join locked using (id)
       where tracking_key.id = used.id
         and (last_used_at is null or last_used_at < used.at)`,
      [[...uses.keys()], [...uses.values()]],
    );
  }
}

async function insertKey(
  manager: EntityManager,
  draft: TrackingKeyDraft,
): Promise<IssuedTrackingKey> {
  const trackingKey = newCredential('trackingKey');
  const keyId = uuidv7();
  await manager.getRepository(TrackingKeyRecord).insert({
    id: keyId,
    name: '',
    requireSignature: false,
    ...draft,
    secretHash: credentialHash(trackingKey),
    displayPrefix: displayPrefix(trackingKey),
  });
  return { keyId, trackingKey };
}
