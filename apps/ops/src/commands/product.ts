import { Command, Option } from 'commander';
import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { instant, table, type Answer } from '../answer.js';
import { environmentName, eventName, label, slug } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import { organizationOf, productOf, refuseExisting } from '../lookups.js';
import type { RunCommand } from '../run-command.js';
import { UsageError } from '../usage-error.js';

const product_types = ['api', 'sdk', 'agent', 'workflow', 'docs', 'model', 'event', 'other'];

interface OfOrganization {
  readonly org: string;
}

interface CreateOptions extends OfOrganization {
  readonly name?: string;
  readonly type: string;
  readonly tool?: string;
  readonly category?: string;
}

interface PolicyOptions extends OfOrganization {
  readonly ignore?: boolean;
  readonly ignoreEvent?: readonly string[];
  readonly ignoreEnvironment?: readonly string[];
  readonly trackAll?: boolean;
}

export function productCommand(run: RunCommand): Command {
  const product = new Command('product').description('what an organization tracks');
  product
    .command('create')
    .description('register a product')
    .argument('<slug>', 'its short name in events and commands', slug)
    .requiredOption('--org <org>', 'slug or id of its organization')
    .option('--name <name>', 'its name; the slug when absent', label)
    .addOption(new Option('--type <type>', 'its kind').choices(product_types).default('other'))
    .option('--tool <slug>', 'tool of the public directory under which it is published', slug)
    .option('--category <slug>', 'category of the tool; makes the tool if there is none', slug)
    .action((slug: string, options: CreateOptions, command: Command) =>
      run(command, (store) => createProduct(store, slug, options)),
    );
  product
    .command('list')
    .description('list the products of an organization, oldest first')
    .requiredOption('--org <org>', 'slug or id')
    .action(({ org }: OfOrganization, command: Command) =>
      run(command, async (store) => {
        const products = await store.products((await organizationOf(store, org)).id);
        return {
          lines: table(
            ['SLUG', 'NAME', 'TYPE', 'ID'],
            products.map(({ slug, name, type, id }) => [slug, name, type, id]),
          ),
          json: products.map(({ id, slug, name, type, toolId, createdAt }) => {
            return { id, slug, name, type, toolId, createdAt: instant(createdAt) };
          }),
        };
      }),
    );
  product
    .command('policy')
    .description('say what of a product is not tracked; without options, show it')
    .argument('<product>', 'slug or id')
    .requiredOption('--org <org>', 'slug or id of its organization')
    .option('--track-all', 'forget what was ignored before; comes before the other options')
    .option('--ignore', 'ignore the whole product')
    .option('--ignore-event <name>', 'ignore an event name; may be repeated', eventName)
    .option('--ignore-environment <name>', 'ignore an environment; repeatable', environmentName)
    .action((product: string, options: PolicyOptions, command: Command) =>
      run(command, (store) => layDownPolicy(store, product, options)),
    );
  return product;
}

async function createProduct(
  store: DirectoryStore,
  slug: string,
  { org, name = slug, type, tool, category }: CreateOptions,
): Promise<Answer> {
  if (category !== undefined && tool === undefined) {
    throw new UsageError('--category belongs to --tool: it is the category of that tool.');
  }
  const { id: organizationId, slug: owner } = await organizationOf(store, org);
  refuseExisting('a product', slug, await store.findProduct(organizationId, slug));
  const toolId = tool === undefined ? null : await toolOf(store, tool, name, category);
  const id = await store.createProduct({ organizationId, toolId, slug, name, type });
  return {
    lines: [
      `Product ${slug} of ${owner} has the id ${id}.`,
      tool === undefined
        ? 'It is linked to no tool (--tool), so it is in no public ranking.'
        : `It is published as ${tool}.`,
    ],
    json: { id, organization: owner, slug, name, type, tool: tool ?? null },
  };
}

async function toolOf(
  store: DirectoryStore,
  slug: string,
  name: string,
  categorySlug: string | undefined,
): Promise<string> {
  const found = await store.findTool(slug);
  if (found !== null) return found.id;
  if (categorySlug !== undefined) return store.createTool({ slug, name, categorySlug });
  throw new CommandFailedError(
    'tool_not_found',
    `There is no tool "${slug}" in the directory; add --category SLUG to make it.`,
  );
}

/** Adds rules one by one; a rule that is there already stays, so a repeat changes nothing. */
async function layDownPolicy(
  store: DirectoryStore,
  idOrSlug: string,
  options: PolicyOptions,
): Promise<Answer> {
  const organization = await organizationOf(store, options.org);
  const { id, slug } = await productOf(store, organization, idOrSlug);
  if (options.trackAll === true) await store.rules.trackAll(id);
  if (options.ignore === true) await store.rules.ignore(id, 'product', null);
  for (const name of options.ignoreEvent ?? []) await store.rules.ignore(id, 'event_name', name);
  for (const name of options.ignoreEnvironment ?? []) {
    await store.rules.ignore(id, 'environment', name);
  }
  const policies = await store.rules.policies(organization.id);
  const rules = policies
    .filter(({ productId }) => productId === id)
    .map(({ scope, value }) => ({ scope, value }));
  return {
    lines:
      rules.length === 0
        ? [`Everything of ${slug} is tracked.`]
        : [`Of ${slug} is ignored:`, ...rules.map(({ scope, value }) => `  ${value ?? scope}`)],
    json: { organization: organization.slug, product: slug, ignored: rules },
  };
}
