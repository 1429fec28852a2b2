import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
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

/** Read as the JSON it is: the package exports it by default and has no types. */
const free = new Set(createRequire(import.meta.url)('email-providers/all.json') as string[]);
/** The package's own set: a copy would take a few megabytes in each thread. */
const disposable = mailchecker.blacklist();

const missed = new Set(missed_providers);
const wrong = new Set(no_providers);

/** Whether the packages list a domain, uncorrected. */
export function isListedProvider(domain: string): boolean {
  return free.has(domain) || disposable.has(domain);
}

/** The public suffix list and the lists of free-mail and disposable providers, as packages. */
export const domainLists: DomainLists = {
  registrableDomain: remember(remembered_max, (host) => {
    const domain = getDomain(host, { allowPrivateDomains: true });
    // The package lets signs through that no name of the DNS has.
    return domain === null || domainToASCII(domain) !== domain ? null : domain;
  }),
  isFreeMail: (domain) => missed.has(domain) || (isListedProvider(domain) && !wrong.has(domain)),
};
