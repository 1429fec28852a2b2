import { describe, expect, it } from '@jest/globals';
import { domainLists, isListedProvider, missed_providers, no_providers } from './domain-lists.js';

describe('the domain lists', () => {
  it('know providers of mailboxes for everybody, old and new', () => {
    const providers = ['gmail.com', 'proton.me', 'hey.com', 'qq.com', 'tutanota.com', 'duck.com'];
    for (const domain of providers)
      expect([domain, domainLists.isFreeMail(domain)]).toContain(true);
  });

  it('know disposable mailboxes', () => {
    for (const domain of ['mailinator.com', 'yopmail.com', '10minutemail.com']) {
      expect([domain, domainLists.isFreeMail(domain)]).toContain(true);
    }
  });

  it('take companies and the names of documentation for what they are', () => {
    for (const domain of ['microsoft.com', 'stripe.com', 'example.com', 'customer.example']) {
      expect([domain, domainLists.isFreeMail(domain)]).toContain(false);
    }
  });

  it('correct the packages only where they still have to be corrected', () => {
    expect(missed_providers.filter((domain) => isListedProvider(domain))).toEqual([]);
    expect(no_providers.filter((domain) => !isListedProvider(domain))).toEqual([]);
  });

  it('find the registrable domain of a host, with suffixes that companies let', () => {
    const { registrableDomain } = domainLists;
    expect(registrableDomain('app.shop.example.co.uk')).toBe('example.co.uk');
    expect(registrableDomain('acme.github.io')).toBe('acme.github.io');
    expect(registrableDomain('shop.xn--bcher-kva.example')).toBe('xn--bcher-kva.example');
    for (const host of ['\ud800.com', 'xn--\u00e9.com', 'xn--zz\u202e.com', 'xn--zzzzzz.com']) {
      expect([host, registrableDomain(host)]).toEqual([host, null]);
    }
    for (const host of ['localhost', '10.0.0.1', 'co.uk', 'not a host', '[email:abc]']) {
      expect(registrableDomain(host)).toBeNull();
    }
  });
});
