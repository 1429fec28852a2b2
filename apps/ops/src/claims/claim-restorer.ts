import { setTimeout as pause } from 'node:timers/promises';
import { sameContent, type Claim } from '#domain/claims/claim.js';
import type { ClaimLedger } from '#postgres/claims/claim-ledger.js';

const attempts_max = 5;
const retry_ms = 500;
/** Postgres: the lock of another transaction was waited for too long. */
const lock_not_available = '55P03';

/** What became of claims that were offered. */
export interface Restored {
  /** The ledger says the same already. */
  readonly present: number;
  /** It had no claim: it has been made, or in a plan would be. */
  readonly missing: number;
  /** Ids whose claim in the ledger has another content; it stays. */
  readonly conflicts: readonly string[];
}

/** Compares claims with the ledger; changes nothing. The ids must be distinct. */
export async function compareClaims(
  ledger: ClaimLedger,
  claims: readonly Claim[],
): Promise<Restored> {
  const { free, held } = await ledger.compare(claims);
  const conflicts = conflictsOf(claims, held);
  const present = claims.length - free.size - conflicts.length;
  return { present, missing: free.size, conflicts };
}

/**
 * Makes the claims that are missing, in one short transaction. It claims like the door and the
 * clerk do, sorted and never over what is there: beside them it cannot deadlock, and an id that one
 * of them has open is waited for and then theirs, or when they give it up, as adopted.
 */
export async function restoreClaims(
  ledger: ClaimLedger,
  claims: readonly Claim[],
): Promise<Restored> {
  const { free, held } = await ledger.compare(claims);
  const missing = claims.filter(({ eventId }) => free.has(eventId));
  const taken = missing.length === 0 ? new Map<string, Claim>() : await insert(ledger, missing);
  const conflicts = [...conflictsOf(claims, held), ...conflictsOf(claims, taken)];
  const made = missing.length - taken.size;
  return { present: claims.length - made - conflicts.length, missing: made, conflicts };
}

async function insert(
  ledger: ClaimLedger,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, Claim>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ledger.transaction((transaction) => transaction.insert(claims));
    } catch (error) {
      if (attempt >= attempts_max || !isLockWait(error)) throw error;
      await pause(retry_ms);
    }
  }
}

function conflictsOf(claims: readonly Claim[], held: ReadonlyMap<string, Claim>): string[] {
  return claims.flatMap((claim) => {
    const holder = held.get(claim.eventId);
    return holder === undefined || sameContent(holder, claim) ? [] : [claim.eventId];
  });
}

function isLockWait(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === lock_not_available;
}
