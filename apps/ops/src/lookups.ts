import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import type { OrganizationRecord } from '#postgres/organizations/organization.record.js';
import type { ProductRecord } from '#postgres/organizations/product.record.js';
import { CommandFailedError } from './command-failed.js';

/** @throws CommandFailedError when there is no organization of this id or slug. */
export async function organizationOf(
  store: DirectoryStore,
  idOrSlug: string,
): Promise<OrganizationRecord> {
  const found = await store.findOrganization(idOrSlug);
  if (found !== null) return found;
  throw new CommandFailedError(
    'organization_not_found',
    `There is no organization "${idOrSlug}"; "ops org list" shows them.`,
  );
}

/** @throws CommandFailedError when the organization has no product of this id or slug. */
export async function productOf(
  store: DirectoryStore,
  organization: OrganizationRecord,
  idOrSlug: string,
): Promise<ProductRecord> {
  const found = await store.findProduct(organization.id, idOrSlug);
  if (found !== null) return found;
  throw new CommandFailedError(
    'product_not_found',
    `${organization.slug} has no product "${idOrSlug}"; ` +
      `"ops product list --org ${organization.slug}" shows them.`,
  );
}

/** @throws CommandFailedError saying that something of this name exists already. */
export function refuseExisting(what: string, slug: string, existing: object | null): void {
  if (existing === null) return;
  throw new CommandFailedError('already_exists', `There is ${what} "${slug}" already.`);
}
