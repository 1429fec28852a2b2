import type { FreeForm, SentUsageEvent } from './sent-usage-event.js';

/** What a policy keeps from being tracked. */
export type IgnoredScope = 'product' | 'event_name' | 'environment';

/** One rule of a product: events that fall under it are answered with 202 and not stored. */
export interface ProductPolicy {
  readonly productId: string;
  readonly scope: IgnoredScope;
  /** The event name or the environment; null for the whole product. */
  readonly value: string | null;
}

export type PolicyVerdict =
  | { readonly kind: 'tracked' }
  | {
      readonly kind: 'ignored';
      readonly reason: 'product_ignored' | 'event_name_ignored' | 'environment_ignored';
      /** The rule in a sentence. */
      readonly detail: string;
    };

const tracked: PolicyVerdict = { kind: 'tracked' };

/**
 * Whether the policies of the event's product let it be tracked. The widest rule that applies is
 * the reason: the product before the event name, the event name before the environment. An event
 * whose product is not registered has no policy.
 */
export function policyVerdict(
  event: {
    readonly productId: string | null;
    readonly eventName: string;
    readonly sent: SentUsageEvent;
  },
  policies: readonly ProductPolicy[],
): PolicyVerdict {
  if (event.productId === null || policies.length === 0) return tracked;
  const own = policies.filter(({ productId }) => productId === event.productId);
  if (own.length === 0) return tracked;
  const ignores = (scope: IgnoredScope, value: string | null) =>
    own.some((policy) => policy.scope === scope && policy.value === value);
  if (ignores('product', null)) {
    return {
      kind: 'ignored',
      reason: 'product_ignored',
      detail: 'The policy of this product is to track nothing.',
    };
  }
  if (ignores('event_name', event.eventName)) {
    return {
      kind: 'ignored',
      reason: 'event_name_ignored',
      detail: `The policy of this product is not to track ${event.eventName}.`,
    };
  }
  const environment = environmentOf(event.sent);
  if (environment !== null && ignores('environment', environment)) {
    return {
      kind: 'ignored',
      reason: 'environment_ignored',
      detail: `The policy of this product is not to track the environment "${environment}".`,
    };
  }
  return tracked;
}

/**
 * Where an event happened, in lower case: the first text of `environment`, `context.environment`
 * and `metadata.environment`; null when none of them is one. The specification has no such field,
 * and SDKs put it in any of the three.
 */
export function environmentOf(sent: SentUsageEvent): string | null {
  const context = sent.context as FreeForm | null | undefined;
  const places = [sent['environment'], context?.['environment'], sent.metadata?.['environment']];
  for (const place of places) {
    const name = typeof place === 'string' ? normaliseEnvironment(place) : '';
    if (name !== '') return name;
  }
  return null;
}

/** The form in which environments are compared: `' Staging '` → `'staging'`. */
export function normaliseEnvironment(name: string): string {
  return name.trim().toLowerCase();
}
