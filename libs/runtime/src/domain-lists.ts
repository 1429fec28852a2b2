import emailProviders from 'email-providers';
import mailchecker from 'mailchecker';
import { getDomain } from 'tldts';
import type { DomainLists } from '#domain/usage/map-account.js';
import { remember } from './remember.js';

const remembered_max = 10_000;

/** Providers of mailboxes for everybody that the lists do not name (yet). */
export const missed_providers: readonly string[] = [
  'disroot.org',
  'fastmail.com',
  'kakao.com',
  'posteo.de',
  'riseup.net',
  'startmail.com',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
];

/** Names reserved for documentation (RFC 2606), and companies whose mailboxes are their staff's. */
export const no_providers: readonly string[] = [
  'alibaba.com',
  'ancestry.com',
  'discovery.com',
  'example.com',
  'facebook.com',
  'medscape.com',
];

const free_mail: ReadonlySet<string> = new Set(
  [...emailProviders, ...missed_providers].filter((domain) => !no_providers.includes(domain)),
);
const disposable: ReadonlySet<string> = mailchecker.blacklist();

/** The public suffix list and the lists of free-mail and disposable providers, as packages. */
export const domainLists: DomainLists = {
  registrableDomain: remember(remembered_max, (host) =>
    getDomain(host, { allowPrivateDomains: true }),
  ),
  isFreeMail: (domain) => free_mail.has(domain) || disposable.has(domain),
};
