import { credentialHash } from '#domain/credentials/credential.js';
import { openDatabase } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { OrganizationRecord } from '#postgres/organizations/organization.record.js';
import { ProductRecord } from '#postgres/organizations/product.record.js';
import { ToolRecord } from '#postgres/organizations/tool.record.js';
import type { DirectoryPlan } from './demo-tools.js';

export interface TrackingKeys {
  readonly organizationTrackingKey: string;
  readonly productTrackingKey: string;
}

type Database = Awaited<ReturnType<typeof openDatabase>>;

/**
 * Makes what the plan names and is not there yet, and answers with keys of its organization: the
 * known ones while they are good, new ones otherwise. The product key is the first product's.
 */
export async function prepareDirectory(
  databaseUrl: string,
  plan: DirectoryPlan,
  known: { readonly [name in keyof TrackingKeys]: string | null } | null,
): Promise<TrackingKeys> {
  const database = await openDatabase({ url: databaseUrl, app: 'standalone' });
  try {
    const store = new DirectoryStore(database);
    const organizationId = await organizationOf(database, store, plan);
    const products: string[] = [];
    for (const tool of plan.tools) {
      products.push(await productOf(database, store, organizationId, tool));
    }
    const key = async (wanted: string | null, productId: string | null): Promise<string> => {
      const principal = wanted === null ? null : await store.findPrincipal(credentialHash(wanted));
      const fits =
        principal?.organizationId === organizationId && principal.productId === productId;
      if (wanted !== null && fits) return wanted;
      return (await store.issueTrackingKey({ organizationId, productId })).trackingKey;
    };
    return {
      organizationTrackingKey: await key(known?.organizationTrackingKey ?? null, null),
      productTrackingKey: await key(known?.productTrackingKey ?? null, products[0]!),
    };
  } finally {
    await database.destroy();
  }
}

async function organizationOf(
  database: Database,
  store: DirectoryStore,
  { organization }: DirectoryPlan,
): Promise<string> {
  const { slug } = organization;
  const found = await database.getRepository(OrganizationRecord).findOneBy({ slug });
  return found?.id ?? (await store.createOrganization(organization));
}

async function productOf(
  database: Database,
  store: DirectoryStore,
  organizationId: string,
  tool: DirectoryPlan['tools'][number],
): Promise<string> {
  const { slug, name, categorySlug } = tool;
  const listed = await database.getRepository(ToolRecord).findOneBy({ slug });
  const toolId = listed?.id ?? (await store.createTool({ slug, name, categorySlug }));
  const found = await database.getRepository(ProductRecord).findOneBy({ organizationId, slug });
  if (found !== null) return found.id;
  return store.createProduct({ organizationId, toolId, slug, name, type: categorySlug });
}
