/**
 * The arithmetic of a quota that several instances share without asking a store at every request.
 *
 * Each instance leases units in chunks. The store keeps one number per caller and window: how many
 * units were asked for, by whomever. An order for `units` that raises it to `asked` takes
 * `takenOf(units, asked, limit)` of them, so all instances together never take more than the limit.
 * Until a lease arrives an instance may go into debt by its head start; what it owes is part of its
 * next order. Hence N instances admit at most `limit + N × headStart` in a window, and one instance
 * alone never more than the limit.
 */
export interface QuotaTerms {
  readonly limit: number;
  /** Units that an instance may admit ahead of a lease. */
  readonly headStart: number;
  /** Units that an instance likes to have at hand; never fewer than the head start. */
  readonly chunk: number;
}

/** What one instance knows of one caller's quota in one window. */
export interface QuotaAccount {
  /** Units at hand; below zero is debt. */
  readonly held: number;
  /** Units taken from the store so far. */
  readonly taken: number;
  /** The store's number as last heard; may lie above the limit. */
  readonly asked: number;
}

export const untouched_account: QuotaAccount = { held: 0, taken: 0, asked: 0 };

/** `short`: only the store can tell. `refused`: the window is used up for everybody. */
export type SpendVerdict =
  | { readonly kind: 'admitted'; readonly account: QuotaAccount }
  | { readonly kind: 'short' }
  | { readonly kind: 'refused' };

/** Terms of a limit: a head start of 1 % and chunks of 5 %, each at least one unit. */
export function quotaTerms(limit: number): QuotaTerms {
  return { limit, headStart: Math.ceil(limit / 100), chunk: Math.ceil(limit / 20) };
}

/** Spends `cost` units. One above the limit counts as the whole limit, or it could never pass. */
export function spend(account: QuotaAccount, cost: number, terms: QuotaTerms): SpendVerdict {
  const left = account.held - Math.min(cost, terms.limit);
  const unasked = Math.max(0, terms.limit - account.asked);
  if (left >= -Math.min(terms.headStart, unasked)) {
    return { kind: 'admitted', account: { ...account, held: left } };
  }
  return unasked === 0 ? { kind: 'refused' } : { kind: 'short' };
}

/** Books units whose number was learnt too late to refuse them; the account may go into debt. */
export function settle(account: QuotaAccount, units: number): QuotaAccount {
  return { ...account, held: account.held - units };
}

/** Gives units back that turned out to cost nothing. */
export function refund(account: QuotaAccount, units: number): QuotaAccount {
  return { ...account, held: account.held + units };
}

/**
 * Units to order now, 0 for none: debt, what somebody waits for, and a chunk to go on with. An
 * account that holds half a chunk orders nothing, and nobody orders from a window used up.
 */
export function orderFor(account: QuotaAccount, waitedFor: number, terms: QuotaTerms): number {
  if (account.asked >= terms.limit) return 0;
  const wanted = Math.min(waitedFor, terms.limit);
  if (account.held >= wanted && account.held * 2 >= terms.chunk) return 0;
  return Math.max(wanted, terms.chunk) - account.held;
}

/** Units that an order takes when it raised the store's number to `asked`. */
export function takenOf(units: number, asked: number, limit: number): number {
  return Math.max(0, Math.min(units, limit - (asked - units)));
}

/** The account after the store answered an order. */
export function receiveLease(
  account: QuotaAccount,
  units: number,
  asked: number,
  terms: QuotaTerms,
): QuotaAccount {
  const taken = takenOf(units, asked, terms.limit);
  return { held: account.held + taken, taken: account.taken + taken, asked };
}

/**
 * The account when the store cannot be asked: the instance counts alone, up to the whole limit. N
 * instances without a store admit at most N times the limit.
 */
export function countAlone(account: QuotaAccount, terms: QuotaTerms): QuotaAccount {
  const rest = Math.max(0, terms.limit - account.taken);
  return { held: account.held + rest, taken: account.taken + rest, asked: terms.limit };
}

/** Units left to the caller as far as this instance knows; never below 0 nor above the limit. */
export function remainingOf({ held, asked }: QuotaAccount, { limit }: QuotaTerms): number {
  return Math.min(limit, Math.max(0, held + Math.max(0, limit - asked)));
}
