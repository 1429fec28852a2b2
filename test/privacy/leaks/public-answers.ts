import { api_endpoints } from '../../../apps/api/src/documentation/endpoints/endpoints.js';
import type { Endpoint } from '../../../apps/api/src/http/endpoint.js';

/** Everything that a public answer says: status, header fields and body. */
export interface PublicAnswer {
  readonly asked: string;
  readonly status: number;
  readonly text: string;
}

const forms = ['*/*', 'text/csv', 'text/html', 'text/markdown', 'image/png'];
const periods = ['7d', '30d', '90d'];

/** What is asked of an endpoint beside its bare address. */
function queriesOf({ parameters = [] }: Endpoint, slugs: readonly string[]): string[] {
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  if (names.length === 0) return [''];
  const filters = ['', ...slugs.map((slug) => `&tool=${slug}`), '&tool=none', '&category=none'];
  return [
    '',
    '?limit=0',
    '?cursor=x',
    ...periods.flatMap((period) =>
      filters.flatMap((filter) => [
        `?period=${period}&limit=1${filter}`,
        `?period=${period}&limit=200${filter}`,
      ]),
    ),
  ];
}

function addressesOf(endpoint: Endpoint, slugs: readonly string[]): string[] {
  const names: Readonly<Record<string, string>> = { ':code': 'not_found', ':asset': 'start.js' };
  const path = endpoint.path.replace(/:\w+/g, (name) => names[name] ?? slugs[0]!);
  return queriesOf(endpoint, slugs).map((query) => path + query);
}

/**
 * Asks every endpoint as somebody without any credential, in every form, follows the links to
 * further pages, and asks the rest of them for their refusals.
 */
export async function publicAnswers(
  baseUrl: string,
  slugs: readonly string[],
): Promise<PublicAnswer[]> {
  const answers: PublicAnswer[] = [];
  for (const endpoint of api_endpoints) {
    for (const address of addressesOf(endpoint, slugs)) {
      for (const accept of forms) {
        const { method } = endpoint;
        answers.push(...(await follow(baseUrl, address, { method, headers: { accept } })));
      }
      answers.push(...(await follow(baseUrl, address, { method: 'OPTIONS' })));
    }
  }
  return answers;
}

async function follow(
  baseUrl: string,
  address: string,
  request: RequestInit,
): Promise<PublicAnswer[]> {
  const answers: PublicAnswer[] = [];
  let next: string | null = address;
  while (next !== null) {
    const answer: Response = await fetch(baseUrl + next, { redirect: 'manual', ...request });
    const fields = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const asked = `${request.method} ${next} ${JSON.stringify(request.headers ?? {})}`;
    const text = `${answer.status}\n${fields}\n\n${await answer.text()}`;
    answers.push({ asked, status: answer.status, text });
    const link = /<(\?[^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '');
    next = link === null ? null : address.split('?', 1)[0]! + link[1]!;
  }
  return answers;
}
