import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { insertStatement } from '../insert-statement.js';

export const insert_catalogue_products = insertStatement('catalogue_product_v1', [
  'fingerprint',
  'product_id',
  'tool_id',
]);

/** A product and the tool under which its adoption is published. */
export interface CatalogueProduct {
  readonly productId: string;
  readonly toolId: string;
}

/** Writes the mapping under its fingerprint; writing it again renews its time to live. */
export async function writeCatalogueProducts(
  clickhouse: Clickhouse,
  fingerprint: string,
  products: readonly CatalogueProduct[],
): Promise<void> {
  if (products.length === 0) return;
  const lines = products.map(
    ({ productId, toolId }) => `${JSON.stringify([fingerprint, productId, toolId])}\n`,
  );
  await clickhouse.insert(insert_catalogue_products, [lines.join('')]);
}
