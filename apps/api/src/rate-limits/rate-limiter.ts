import {
  windowStartOf,
  type RateLimitPolicy,
  type RateLimitPolicyName,
} from '#domain/rate-limits/policies.js';
import {
  countAlone,
  orderFor,
  quotaTerms,
  receiveLease,
  refund,
  remainingOf,
  settle,
  spend,
  untouched_account,
  type QuotaAccount,
  type QuotaTerms,
} from '#domain/rate-limits/quota.js';
import type { LeaseDesk } from './lease-desk.js';
import type { QuotaState } from './rate-limit-headers.js';
import type { RateLimitPolicies } from './rate-limit-policies.js';

/** Accounts of one policy in memory; the oldest makes room. Some 300 bytes each. */
const accounts_max = 20_000;

/** One caller's account in the current window. */
interface OpenAccount {
  readonly caller: string;
  readonly policy: RateLimitPolicy;
  readonly terms: QuotaTerms;
  readonly windowStart: number;
  quota: QuotaAccount;
  /** Resolves when the store answered the open order. */
  ordered: Promise<void> | null;
}

/**
 * Counts what callers spend. Most requests are decided from memory; the arithmetic, and how far N
 * instances can exceed a limit together, is in `quota.ts` of the domain.
 */
export class RateLimiter {
  private readonly accounts = new Map<RateLimitPolicyName, Map<string, OpenAccount>>();

  constructor(
    readonly policies: RateLimitPolicies,
    private readonly desk: LeaseDesk,
    private readonly now: () => number = Date.now,
  ) {}

  /** Spends `cost` units; false when they are not there. Waits for the store only when short. */
  async spend(policy: RateLimitPolicyName, caller: string, cost: number): Promise<boolean> {
    for (;;) {
      const account = this.accountOf(policy, caller);
      const verdict = spend(account.quota, cost, account.terms);
      if (verdict.kind === 'admitted') account.quota = verdict.account;
      this.replenish(account, verdict.kind === 'short' ? cost : 0);
      if (verdict.kind !== 'short') return verdict.kind === 'admitted';
      await account.ordered;
    }
  }

  /** Spends `cost` units when they are at hand; false, and nothing is spent, when they are not. */
  spendAtOnce(policy: RateLimitPolicyName, caller: string, cost: number): boolean {
    const account = this.accountOf(policy, caller);
    const verdict = spend(account.quota, cost, account.terms);
    if (verdict.kind !== 'admitted') return false;
    account.quota = verdict.account;
    this.replenish(account, 0);
    return true;
  }

  /** Books units that are spent already; what is too much is missing later in the window. */
  settle(policy: RateLimitPolicyName, caller: string, units: number): void {
    const account = this.accountOf(policy, caller);
    account.quota = settle(account.quota, units);
    this.replenish(account, 0);
  }

  /** Gives units back, unless their window is over. */
  refund(policy: RateLimitPolicyName, caller: string, units: number): void {
    const account = this.accountOf(policy, caller);
    if (account.quota !== untouched_account) account.quota = refund(account.quota, units);
  }

  stateOf(policy: RateLimitPolicyName, caller: string): QuotaState {
    const account = this.accountOf(policy, caller);
    return {
      policy: account.policy,
      remaining: remainingOf(account.quota, account.terms),
      resetAt: account.windowStart + account.policy.windowMs,
    };
  }

  private accountOf(name: RateLimitPolicyName, caller: string): OpenAccount {
    const policy = this.policies[name];
    const windowStart = windowStartOf(this.now(), policy.windowMs);
    const known = this.accounts.get(name)?.get(caller);
    if (known?.windowStart === windowStart) return known;
    const accounts = this.accounts.get(name) ?? new Map<string, OpenAccount>();
    this.accounts.set(name, accounts);
    accounts.delete(caller);
    if (accounts.size >= accounts_max) accounts.delete(accounts.keys().next().value as string);
    const opened: OpenAccount = {
      caller,
      policy,
      terms: quotaTerms(policy.limit),
      windowStart,
      quota: untouched_account,
      ordered: null,
    };
    accounts.set(caller, opened);
    return opened;
  }

  private replenish(account: OpenAccount, waitedFor: number): void {
    if (account.ordered !== null) return;
    const units = orderFor(account.quota, waitedFor, account.terms);
    if (units === 0) return;
    const { caller, policy, windowStart, terms } = account;
    account.ordered = new Promise((resolve) => {
      this.desk.order({
        caller,
        policy: policy.name,
        windowStart,
        windowMs: policy.windowMs,
        units,
        settle: (asked) => {
          account.quota =
            asked === null
              ? countAlone(account.quota, terms)
              : receiveLease(account.quota, units, asked, terms);
          account.ordered = null;
          resolve();
        },
      });
    });
  }
}
