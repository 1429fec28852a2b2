import type { Claim } from '#domain/claims/claim.js';

/**
 * Columns of claims in the binary form of Postgres arrays, which cost the server less than one
 * block that SQL takes apart. Element `n` of every column belongs to one claim.
 */
export interface ClaimArrays {
  /** uuid[] */
  readonly eventIds: Buffer;
  /** uuid[] */
  readonly organizationIds: Buffer;
  /** bytea[] */
  readonly payloadHashes: Buffer;
  /** bytea[] */
  readonly fieldHashes: Buffer;
  /** timestamptz[] */
  readonly receivedAt: Buffer;
}

/** Object ids of the elements' types. */
const type_of = { uuid: 2950, bytea: 17, timestamptz: 1184 } as const;
/** Dimensions, whether there are nulls, type of the elements, their number, first index. */
const head_bytes = 5 * 4;
const length_bytes = 4;
const uuid_bytes = 16;
const payload_hash_bytes = 32;
const time_bytes = 8;
/** 2000-01-01, from which Postgres counts, in epoch milliseconds. */
const postgres_epoch_ms = 946_684_800_000;

/** Columns of the claims in the order given. */
export function toClaimArrays(claims: readonly Claim[]): ClaimArrays {
  return {
    eventIds: uuidArray(claims.map(({ eventId }) => eventId)),
    organizationIds: uuidArray(claims.map(({ organizationId }) => organizationId)),
    payloadHashes: hexArray(
      type_of.bytea,
      payload_hash_bytes,
      claims.map(({ payloadHash }) => payloadHash),
    ),
    fieldHashes: base64Array(claims.map(({ fieldHashes }) => fieldHashes)),
    receivedAt: timeArray(claims.map(({ receivedAt }) => receivedAt)),
  };
}

function uuidArray(ids: readonly string[]): Buffer {
  return hexArray(type_of.uuid, uuid_bytes, ids);
}

/** Of texts in hexadecimal digits, dashes aside, that stand for as many bytes each. */
function hexArray(type: number, width: number, texts: readonly string[]): Buffer {
  // The lengths between the elements are digits as well: one native call writes everything.
  const length = hexOf(width);
  const content = texts.length === 0 ? '' : length + texts.join(length).replaceAll('-', '');
  const bytes = Buffer.from(headOf(type, texts.length) + content, 'hex');
  if (bytes.length !== head_bytes + texts.length * (length_bytes + width)) {
    throw new RangeError(`A claim has an id or a hash that is no ${width} bytes.`);
  }
  return bytes;
}

function base64Array(texts: readonly string[]): Buffer {
  const contentBytes = texts.reduce((sum, text) => sum + length_bytes + base64Bytes(text), 0);
  const bytes = Buffer.allocUnsafe(head_bytes + contentBytes);
  bytes.write(headOf(type_of.bytea, texts.length), 'hex');
  let at = head_bytes;
  for (const text of texts) {
    const written = bytes.write(text, at + length_bytes, 'base64');
    bytes.writeInt32BE(written, at);
    at += length_bytes + written;
  }
  return bytes;
}

function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** @param times epoch milliseconds. */
function timeArray(times: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(head_bytes + times.length * (length_bytes + time_bytes));
  bytes.write(headOf(type_of.timestamptz, times.length), 'hex');
  let at = head_bytes;
  for (const time of times) {
    const micros = (time - postgres_epoch_ms) * 1000;
    bytes.writeInt32BE(time_bytes, at);
    bytes.writeInt32BE(Math.floor(micros / 2 ** 32), at + 4);
    bytes.writeUInt32BE(micros >>> 0, at + 8);
    at += length_bytes + time_bytes;
  }
  return bytes;
}

/** In hexadecimal digits: one dimension, no nulls, the type, so many elements, the first is 1. */
function headOf(type: number, count: number): string {
  return hexOf(1) + hexOf(0) + hexOf(type) + hexOf(count) + hexOf(1);
}

function hexOf(value: number): string {
  return value.toString(16).padStart(8, '0');
}
