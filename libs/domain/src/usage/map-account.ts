import { hostOf } from '../text/host-name.js';
import { asciiDomain } from './identity.js';
import type { NextFix } from './next-fix.js';
import type { SentUsageEvent } from './sent-usage-event.js';

/** Knowledge of the public domain-name system, from maintained lists. */
export interface DomainLists {
  /** `app.example.co.uk` → `example.co.uk`; null for what is no registrable domain. */
  readonly registrableDomain: (host: string) => string | null;
  /** Free-mail and disposable providers: their domains are no accounts. */
  readonly isFreeMail: (domain: string) => boolean;
}

/** `account` of a mapping, as the wire has it. */
export interface AccountMapping {
  /** Registrable domain of the account; null unless the event has one. */
  readonly domain: string | null;
  readonly name: string | null;
  /** The field that named the account, or why there is none. */
  readonly resolution:
    | 'account_domain'
    | 'account.domain'
    | 'email_domain'
    | 'own_domain'
    | 'free_mail'
    | 'unresolved';
}

type Candidate = 'account_domain' | 'account.domain' | 'email_domain';

interface PassedOver {
  readonly field: Candidate;
  readonly domain: string;
  readonly because: 'own_domain' | 'free_mail';
}

export interface AccountFinding {
  readonly account: AccountMapping;
  readonly nextFixes: readonly NextFix[];
}

/**
 * The account of an event: the first of `account_domain`, `account.domain` and the e-mail's domain
 * that is a registrable domain, neither the organization's own nor a provider of mailboxes for
 * everybody. A field that is passed over leaves the next one its turn. Addresses of pages count for
 * their host.
 */
export function mapAccount(
  sent: SentUsageEvent,
  emailDomain: string | null,
  ownDomains: ReadonlySet<string>,
  lists: DomainLists,
): AccountFinding {
  const name = sent.account?.name ?? null;
  const candidates: readonly (readonly [Candidate, unknown])[] = [
    ['account_domain', sent.account_domain],
    ['account.domain', sent.account?.domain],
    ['email_domain', emailDomain],
  ];
  let passed: PassedOver | null = null;
  const wrong: NextFix[] = [];
  for (const [field, sentHost] of candidates) {
    if (typeof sentHost !== 'string' || sentHost === '') continue;
    const host = asciiDomain(hostOf(sentHost));
    const domain = lists.registrableDomain(host);
    if (domain === null) {
      if (field !== 'email_domain') wrong.push(noDomain(field));
      continue;
    }
    const because = ownDomains.has(domain)
      ? 'own_domain'
      : lists.isFreeMail(domain) || lists.isFreeMail(host)
        ? 'free_mail'
        : null;
    if (because === null) {
      return {
        account: { domain, name, resolution: field },
        nextFixes: [...wrong, ...fixes(passed)],
      };
    }
    // The first one passed over says most about what the sender meant.
    passed ??= { field, domain, because };
  }
  const resolution = passed?.because ?? 'unresolved';
  const send = 'Send account_domain, the domain of the customer who uses the product.';
  return {
    account: { domain: null, name, resolution },
    nextFixes: [
      ...wrong,
      ...fixes(passed),
      ...(wrong.length > 0
        ? []
        : [{ code: 'add_account_domain', pointer: '/account_domain', message: send }]),
    ],
  };
}

function noDomain(field: Exclude<Candidate, 'email_domain'>): NextFix {
  return {
    code: 'invalid_account_domain',
    pointer: pointerTo(field),
    message: `What was sent as ${field} is no registrable domain, such as customer.example.`,
  };
}

function pointerTo(field: Exclude<Candidate, 'email_domain'>): string {
  return field === 'account_domain' ? '/account_domain' : '/account/domain';
}

/** A stated domain that is no account deserves a word; the domain of an e-mail is no statement. */
function fixes(passed: PassedOver | null): readonly NextFix[] {
  if (passed === null || passed.field === 'email_domain') return [];
  const pointer = pointerTo(passed.field);
  switch (passed.because) {
    case 'own_domain':
      return [
        {
          code: 'own_account_domain',
          pointer,
          message:
            `${passed.domain} is your own domain, which is never an account. ` +
            `Send the customer's domain as ${passed.field}, or leave it out.`,
        },
      ];
    case 'free_mail':
      return [
        {
          code: 'free_mail_account_domain',
          pointer,
          message:
            `${passed.domain} gives mailboxes to everybody, so it is no account. ` +
            `Send the customer's own domain as ${passed.field}, or leave it out.`,
        },
      ];
  }
}
