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
  let widest = 0;
  for (const { fieldHashes } of claims) widest = Math.max(widest, base64Bytes(fieldHashes));
  if (widest > 255) throw new RangeError(`Field hashes of ${widest} bytes do not fit a claim.`);
  const stride = fixed_bytes + widest;
  const bytes = Buffer.alloc(claims.length * stride);
  claims.forEach((claim, index) => {
    const at = index * stride;
    writeHex(bytes, claim.eventId, at);
    writeHex(bytes, claim.organizationId, at + 16);
    writeHex(bytes, claim.payloadHash, at + 32);
    bytes.writeUInt32BE(Math.floor(claim.receivedAt / 2 ** 32), at + 64);
    bytes.writeUInt32BE(claim.receivedAt >>> 0, at + 68);
    bytes[at + 72] = bytes.write(claim.fieldHashes, at + fixed_bytes, widest, 'base64');
  });
  return { bytes, stride };
}

function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

const dash = 0x2d;

// A native write costs three times as much for texts as short as these.
function writeHex(bytes: Buffer, text: string, at: number): void {
  let next = at;
  for (let index = 0; index < text.length; index += 2) {
    if (text.charCodeAt(index) === dash) index += 1;
    bytes[next++] = (digit(text.charCodeAt(index)) << 4) | digit(text.charCodeAt(index + 1));
  }
}

/** Value of a lower-case hexadecimal digit. */
function digit(unit: number): number {
  return unit < 0x40 ? unit - 0x30 : unit - 0x57;
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
