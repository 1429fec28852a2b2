import type { EntityManager } from 'typeorm';
import type { CataloguedTool } from '#domain/adoption/catalogued-tool.js';

/** The public directory as an epoch sees it. */
export interface Catalogue {
  /** By slug. */
  readonly tools: readonly CataloguedTool[];
  /** Products that count for a tool, by product id. */
  readonly products: readonly { readonly productId: string; readonly toolId: string }[];
}

export async function readCatalogue(manager: EntityManager): Promise<Catalogue> {
  const tools = await manager.query<CataloguedTool[]>(
    'select id, slug, name, category_slug as "categorySlug" from tool order by slug',
  );
  const products = await manager.query<{ productId: string; toolId: string }[]>(
    `select id as "productId", tool_id as "toolId" from product
     where tool_id is not null order by id`,
  );
  return { tools, products };
}
