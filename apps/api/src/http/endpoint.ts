import type { ErrorCode } from '#domain/errors.js';
import type { RateLimitPolicyName } from '#domain/rate-limits/policies.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One query, path or header parameter. */
export interface EndpointParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface EndpointBody {
  /** Media types the endpoint takes; anything else is 415. */
  readonly types: readonly string[];
  readonly schema: JsonSchema;
  readonly example: object;
}

export interface EndpointAnswer {
  readonly description: string;
  readonly type?: string;
  /** Further media types of the same answer, texts chosen by `Accept`. */
  readonly otherTypes?: readonly string[];
  readonly schema?: JsonSchema;
}

/**
 * Everything that is agreed on one endpoint. The server takes its conventions from here, and
 * `/openapi.json`, `/llms.txt` and the specs describe it from here: there is no second table.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Pattern of the router: `/problems/:code`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: 'public' | 'trackingKey';
  /** Quota that requests are counted against; null is not limited. */
  readonly policy: RateLimitPolicyName | null;
  /** Pages of any origin may read the answer; never together with a credential. */
  readonly crossOrigin: boolean;
  readonly parameters?: readonly EndpointParameter[];
  readonly body?: EndpointBody;
  readonly answers: Readonly<Record<number, EndpointAnswer>>;
  readonly problems: readonly ErrorCode[];
}

/** Finds what is agreed on a request. */
export class EndpointTable {
  private readonly byRoute: ReadonlyMap<string, Endpoint>;
  private readonly patterns: readonly { readonly regexp: RegExp; readonly endpoint: Endpoint }[];

  constructor(endpoints: readonly Endpoint[]) {
    this.byRoute = new Map(endpoints.map((endpoint) => [key(endpoint), endpoint]));
    this.patterns = endpoints.map((endpoint) => ({
      endpoint,
      regexp: addressesOf(endpoint.path),
    }));
  }

  /** The endpoint behind a route of the router; HEAD is answered like GET. */
  ofRoute(method: string, path: string | undefined): Endpoint | null {
    if (path === undefined) return null;
    const asked = method === 'HEAD' ? 'GET' : method;
    return this.byRoute.get(`${asked} ${path}`) ?? null;
  }

  /** @throws Error at boot for a route that nobody described; a table without rows says nothing. */
  refuseUndescribed(method: string, path: string): void {
    if (this.byRoute.size === 0 || this.ofRoute(method, path) !== null) return;
    throw new Error(`${method} ${path} is served, but it is not in the table of endpoints.`);
  }

  /** The endpoints at an address, whatever their method. */
  at(address: string): readonly Endpoint[] {
    const path = address.split('?', 1)[0]!;
    return this.patterns.filter(({ regexp }) => regexp.test(path)).map(({ endpoint }) => endpoint);
  }
}

/** Methods of the endpoints at one address, as `Allow` names them. */
export function allowedMethods(endpoints: readonly Endpoint[]): string {
  const methods = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
  return [...methods, 'OPTIONS'].join(', ');
}

/** What the router takes for `path`: every other character stands for itself, a slash included. */
function addressesOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+')}$`);
}

function key({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
