import type { Claim } from '#domain/claims/claim.js';

/**
 * Layout of one claim in the block that carries many of them to Postgres as one binary parameter:
 * event id 16, organization id 16, payload hash 32, received at 8, length of the field hashes 1,
 * field hashes up to the stride. Offsets are zero-based here, one-based in SQL.
 */
const fixed_bytes = 73;

export interface ClaimBlock {
  readonly bytes: Buffer;
  /** Bytes from one claim to the next. */
  readonly stride: number;
}

/** Packs claims in the order given. */
export function toClaimBlock(claims: readonly Claim[]): ClaimBlock {
  const widest = Math.max(0, ...claims.map(({ fieldHashes }) => fieldHashes.length));
  if (widest > 255) throw new RangeError(`Field hashes of ${widest} bytes do not fit a claim.`);
  const stride = fixed_bytes + widest;
  const bytes = Buffer.alloc(claims.length * stride);
  claims.forEach((claim, index) => {
    const at = index * stride;
    bytes.write(claim.eventId.replaceAll('-', ''), at, 'hex');
    bytes.write(claim.organizationId.replaceAll('-', ''), at + 16, 'hex');
    claim.payloadHash.copy(bytes, at + 32);
    bytes.writeBigInt64BE(BigInt(claim.receivedAt), at + 64);
    bytes.writeUInt8(claim.fieldHashes.length, at + 72);
    claim.fieldHashes.copy(bytes, at + 73);
  });
  return { bytes, stride };
}

/**
 * Unpacks the block `$1` with stride `$2`. Sorted, so that transactions which share ids take them
 * in one order and cannot deadlock.
 */
export const unpack_claims_sql = `
  select
    encode(substring(b from o for 16), 'hex')::uuid as event_id,
    encode(substring(b from o + 16 for 16), 'hex')::uuid as organization_id,
    substring(b from o + 32 for 32) as payload_hash,
    substring(b from o + 73 for get_byte(b, o + 71)) as field_hashes,
    to_timestamp(
      ('x' || encode(substring(b from o + 64 for 8), 'hex'))::bit(64)::bigint / 1000.0
    ) as received_at
  from (select $1::bytea as b, $2::int as stride) as block,
    generate_series(1, length(b), stride) as o
  order by event_id`;
