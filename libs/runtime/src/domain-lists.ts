import freemail from 'freemail';
import { getDomain } from 'tldts';
import type { DomainLists } from '#domain/usage/map-usage-event.js';

const remembered_max = 10_000;

/** The public suffix list and the lists of free-mail and disposable providers, as packages. */
export const domainLists: DomainLists = {
  registrableDomain: remember((host) => getDomain(host, { allowPrivateDomains: true })),
  isFreeMail: remember((domain) => freemail.isFree(`x@${domain}`)),
};

/** Keeps the latest answers of a pure function: the lists are long and are searched in order. */
function remember<T>(ask: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = ask(text);
    if (answers.size >= remembered_max) answers.delete(answers.keys().next().value as string);
    answers.set(text, answer);
    return answer;
  };
}
