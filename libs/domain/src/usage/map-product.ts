import { nearest } from '../text/nearest.js';
import type { KnownProduct, MappingDirectory } from './mapping-directory.js';
import type { NextFix } from './next-fix.js';
import type { SentProduct } from './sent-usage-event.js';

const suggestions_max = 3;

/** `product` of a mapping, as the wire has it. */
export interface ProductMapping {
  readonly id: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly resolution: 'key' | 'id' | 'slug' | 'name' | 'unresolved';
}

/**
 * The product of an event within its organization: the one the key implies, then by id, by exact
 * slug, by exact name.
 */
export function mapProduct(
  sentProduct: SentProduct | null | undefined,
  keyProductId: string | null,
  products: readonly KnownProduct[],
): ProductMapping {
  const sent = sentProduct ?? {};
  const named = [sent.id, sent.name].filter((text): text is string => typeof text === 'string');
  const attempts: readonly (readonly [
    ProductMapping['resolution'],
    (product: KnownProduct) => boolean,
  ])[] = [
    ['key', ({ id }) => id === keyProductId],
    ['id', ({ id }) => id === sent.id?.toLowerCase()],
    ['slug', ({ slug }) => named.includes(slug)],
    ['name', ({ name }) => named.includes(name)],
  ];
  for (const [resolution, matches] of attempts) {
    const found = products.find(matches);
    if (found === undefined) continue;
    const { id, name, type } = found;
    return { id, name, type, version: sent.version ?? null, resolution };
  }
  return {
    id: null,
    name: sent.name ?? sent.id ?? null,
    type: sent.type ?? null,
    version: sent.version ?? null,
    resolution: 'unresolved',
  };
}

/** What to do about a product that is not registered, or not the one of the key. */
export function productFixes(
  product: ProductMapping,
  sentProduct: SentProduct | null | undefined,
  directory: MappingDirectory,
): readonly NextFix[] {
  if (product.resolution === 'key') {
    const meant = mapProduct(sentProduct, null, directory.products);
    if (meant.resolution === 'unresolved' || meant.id === product.id) return [];
    return [
      {
        code: 'product_of_key',
        pointer: '/product',
        message:
          `This key belongs to the product "${product.name}", so the event counts for that and ` +
          `not for "${meant.name}". Send it under a key of the organization, or of that product.`,
      },
    ];
  }
  if (product.resolution !== 'unresolved') return [];
  const name = product.name ?? '';
  const close = nearest(
    slugOf(name),
    directory.products.map(({ slug }) => slug),
    suggestions_max,
  );
  return [
    {
      code: 'register_product',
      pointer: '/product',
      message:
        `No product "${name}" is registered, so this event counts for none. Run ` +
        `"ops product create ${slugOf(name) || 'SLUG'} --org ${directory.organizationSlug}"` +
        (close.length > 0
          ? `, or send one of the registered ones as product.id: ${close.join(', ')}.`
          : ', or send the id of a registered one as product.id.'),
    },
  ];
}

/** A name in the form of a slug: `'Code Search 2'` → `'code-search-2'`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
