import { describe, expect, it } from '@jest/globals';
import {
  accountKeyOf,
  mapUsageEvent,
  type DomainLists,
  type MappableEvent,
  type MappingDirectory,
} from './map-usage-event.js';

const lists: DomainLists = {
  registrableDomain: (host) => /([^.]+\.[^.]+)$/.exec(host)?.[1] ?? null,
  isFreeMail: (domain) => domain === 'free.example',
};

const product = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  slug: 'code-search',
  name: 'Code Search',
  type: 'api',
};

const directory: MappingDirectory = {
  organizationSlug: 'acme',
  evidence: 'first_party',
  products: [product],
  policies: [],
  campaigns: new Map(),
  ownDomains: new Set(['acme.example']),
};

const map = (event: Partial<MappableEvent>, registered = directory) =>
  mapUsageEvent(
    {
      eventName: 'API_CALL',
      eventFamily: 'retention',
      familySource: 'catalog',
      keyProductId: null,
      hasDeveloperId: true,
      emailDomain: null,
      sent: {},
      ...event,
    },
    registered,
    lists,
  );

describe('mapping a usage event', () => {
  it('finds the product by key, id, slug or name within the organization', () => {
    expect(map({ keyProductId: product.id }).product.resolution).toBe('key');
    expect(map({ sent: { product: { id: product.id.toUpperCase() } } }).product).toMatchObject({
      id: product.id,
      resolution: 'id',
    });
    expect(map({ sent: { product: { id: 'code-search' } } }).product.resolution).toBe('slug');
    expect(map({ sent: { product: { name: 'Code Search' } } }).product.resolution).toBe('name');
  });

  it('leaves an unknown product unresolved and says what to register', () => {
    const mapping = map({ sent: { product: { name: 'Other', version: '2' } } });
    expect(mapping.product).toEqual({
      id: null,
      name: 'Other',
      type: null,
      version: '2',
      resolution: 'unresolved',
    });
    expect(mapping.nextFixes).toContainEqual(
      expect.objectContaining({ code: 'register_product', pointer: '/product' }),
    );
  });

  it('says so when the key belongs to another registered product than the one sent', () => {
    const other = { ...product, id: '0190b6f4-0000-7000-8000-0000000000ff', slug: 'other' };
    const two = { ...directory, products: [product, { ...other, name: 'Other' }] };
    const fixesOf = (sent: object) =>
      map({ keyProductId: product.id, sent: { product: sent } }, two).nextFixes.map(
        ({ code }) => code,
      );
    expect(fixesOf({ id: 'other' })).toContain('product_of_key');
    for (const sent of [{}, { id: product.id }, { name: 'Code Search' }, { name: 'Unknown' }]) {
      expect(fixesOf(sent)).not.toContain('product_of_key');
    }
  });

  it('takes the account from account_domain, then account.domain, then the e-mail domain', () => {
    const sent = { account_domain: 'App.One.example', account: { domain: 'two.example' } };
    expect(map({ sent }).account).toMatchObject({
      domain: 'one.example',
      resolution: 'account_domain',
    });
    expect(map({ sent: { account: { domain: 'two.example' } } }).account).toMatchObject({
      domain: 'two.example',
      resolution: 'account.domain',
    });
    expect(map({ emailDomain: 'mail.three.example' }).account).toMatchObject({
      domain: 'three.example',
      resolution: 'email_domain',
    });
  });

  it('takes a pasted address for its host', () => {
    const account = { domain: 'https://two.example:8443/pricing' };
    expect(map({ sent: { account_domain: ' https://App.One.example/x ' } }).account).toMatchObject({
      domain: 'one.example',
      resolution: 'account_domain',
    });
    expect(map({ sent: { account } }).account).toMatchObject({
      domain: 'two.example',
      resolution: 'account.domain',
    });
  });

  it('says that what was sent is no domain, and takes the next one', () => {
    const known = { keyProductId: product.id };
    const { account, nextFixes } = map({ ...known, sent: { account_domain: 'not a domain' } });
    expect(account).toMatchObject({ domain: null, resolution: 'unresolved' });
    expect(nextFixes).toMatchObject([
      { code: 'invalid_account_domain', pointer: '/account_domain' },
    ]);
    const next = map({
      ...known,
      sent: { account_domain: 'x', account: { domain: 'two.example' } },
    });
    expect(next.account).toMatchObject({ domain: 'two.example', resolution: 'account.domain' });
    expect(next.nextFixes.map(({ code }) => code)).toEqual(['invalid_account_domain']);
  });

  it('takes no account from a provider of mailboxes for everybody, wherever it is named', () => {
    const known = { keyProductId: product.id };
    const { account, nextFixes } = map({ ...known, emailDomain: 'free.example' });
    expect(account).toEqual({ domain: null, name: null, resolution: 'free_mail' });
    expect(nextFixes.map(({ code }) => code)).toEqual(['add_account_domain']);
    const stated = map({ ...known, sent: { account_domain: 'mail.free.example' } });
    expect(stated.account).toMatchObject({ domain: null, resolution: 'free_mail' });
    expect(stated.nextFixes[0]).toMatchObject({
      code: 'free_mail_account_domain',
      pointer: '/account_domain',
    });
  });

  it("never takes the organization's own domain for an account", () => {
    const known = { keyProductId: product.id };
    const { account, nextFixes } = map({ ...known, emailDomain: 'eng.acme.example' });
    expect(account).toMatchObject({ domain: null, resolution: 'own_domain' });
    expect(nextFixes.map(({ code }) => code)).toEqual(['add_account_domain']);
    const sent = { account_domain: 'www.acme.example' };
    const { account: customer, nextFixes: hints } = map({
      ...known,
      sent,
      emailDomain: 'one.example',
    });
    expect(customer).toMatchObject({ domain: 'one.example', resolution: 'email_domain' });
    expect(hints.map(({ code }) => code)).toEqual(['own_account_domain']);
  });

  it('names the command that registers an unknown product, and products of a like name', () => {
    const fix = map({ sent: { product: { name: 'Code Serch' } } }).nextFixes[0]!;
    expect(fix.message).toContain('ops product create code-serch --org acme');
    expect(fix.message).toContain('product.id: code-search.');
    const far = map({ sent: { product: { name: 'Payments' } } }).nextFixes[0]!;
    expect(far.message).toContain('or send the id of a registered one as product.id.');
  });

  it('says which identities were sent', () => {
    expect(map({}).identity.developer).toBe('id');
    expect(map({ emailDomain: 'a.example' }).identity.developer).toBe('id+email');
    expect(map({ hasDeveloperId: false, emailDomain: 'a.example' }).identity.developer).toBe(
      'email',
    );
  });

  it('gives every account a key of 64 bits', () => {
    expect(BigInt(accountKeyOf('one.example'))).toBeLessThan(2n ** 64n);
    expect(accountKeyOf('one.example')).toBe(accountKeyOf('one.example'));
    expect(accountKeyOf('one.example')).not.toBe(accountKeyOf('two.example'));
  });
});
