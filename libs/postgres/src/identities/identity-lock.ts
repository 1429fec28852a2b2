import type { EntityManager } from 'typeorm';

/** Advisory lock of whoever changes which key belongs to whom. */
const identity_lock = 7_305_003;

/** Waits, until the end of the transaction, for being the only one to link or erase. */
export async function lockIdentities(transaction: EntityManager): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [identity_lock]);
}
