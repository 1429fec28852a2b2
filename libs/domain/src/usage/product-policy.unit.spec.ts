import { describe, expect, it } from '@jest/globals';
import { environmentOf, policyVerdict, type ProductPolicy } from './product-policy.js';
import type { SentUsageEvent } from './sent-usage-event.js';

const policies: readonly ProductPolicy[] = [
  { productId: 'a', scope: 'event_name', value: 'API_CALL' },
  { productId: 'a', scope: 'environment', value: 'staging' },
  { productId: 'b', scope: 'product', value: null },
];

const verdict = (productId: string | null, eventName: string, sent: SentUsageEvent = {}) => {
  const found = policyVerdict({ productId, eventName, sent }, policies);
  return found.kind === 'tracked' ? 'tracked' : found.reason;
};

describe('a product policy', () => {
  it('ignores a whole product', () => {
    expect(verdict('b', 'DEPLOY')).toBe('product_ignored');
  });

  it('ignores single event names of its own product', () => {
    expect(verdict('a', 'API_CALL')).toBe('event_name_ignored');
    expect(verdict('a', 'DEPLOY')).toBe('tracked');
    expect(verdict('c', 'API_CALL')).toBe('tracked');
  });

  it('ignores environments, in any case of letters', () => {
    expect(verdict('a', 'DEPLOY', { environment: ' Staging ' })).toBe('environment_ignored');
    expect(verdict('a', 'DEPLOY', { metadata: { environment: 'staging' } })).toBe(
      'environment_ignored',
    );
    expect(verdict('a', 'DEPLOY', { environment: 'production' })).toBe('tracked');
    expect(verdict('c', 'DEPLOY', { environment: 'staging' })).toBe('tracked');
  });

  it('has nothing to say about an event whose product is not registered', () => {
    expect(verdict(null, 'API_CALL', { environment: 'staging' })).toBe('tracked');
  });

  it('explains itself in a sentence', () => {
    const found = policyVerdict({ productId: 'a', eventName: 'API_CALL', sent: {} }, policies);
    expect(found).toMatchObject({
      kind: 'ignored',
      detail: 'The policy of this product is not to track API_CALL.',
    });
  });
});

describe('the environment of an event', () => {
  it('is the first text of environment, context.environment and metadata.environment', () => {
    const context = { environment: 'Two' } as SentUsageEvent['context'];
    const metadata = { environment: 'Three' };
    expect(environmentOf({ environment: 'One', context, metadata })).toBe('one');
    expect(environmentOf({ context, metadata })).toBe('two');
    expect(environmentOf({ metadata })).toBe('three');
    expect(environmentOf({ environment: 7, metadata })).toBe('three');
    expect(environmentOf({ environment: '' })).toBeNull();
    expect(environmentOf({})).toBeNull();
  });
});
