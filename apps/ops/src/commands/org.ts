import { Command, Option } from 'commander';
import { evidence_labels, type EvidenceLabel } from '#domain/evidence.js';
import { instant, table } from '../answer.js';
import { label, registrableDomain, slug } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import { organizationOf, refuseExisting } from '../lookups.js';
import type { RunCommand } from '../run-command.js';

interface CreateOptions {
  readonly name: string;
  readonly evidence: EvidenceLabel;
}

export function orgCommand(run: RunCommand): Command {
  const org = new Command('org').description('companies that send events');
  org
    .command('create')
    .description('register an organization')
    .argument('<slug>', 'its short name in addresses and commands', slug)
    .requiredOption('--name <name>', 'its name', label)
    .addOption(
      new Option('--evidence <label>', 'label under which its events are reported')
        .choices(evidence_labels)
        .default('first_party'),
    )
    .action((slug: string, { name, evidence }: CreateOptions, command: Command) =>
      run(command, async (store) => {
        refuseExisting('an organization', slug, await store.findOrganization(slug));
        const id = await store.createOrganization({ slug, name, evidence });
        return {
          lines: [`Organization ${slug} has the id ${id}.`],
          json: { id, slug, name, evidence },
        };
      }),
    );
  org
    .command('list')
    .description('list the organizations, oldest first')
    .action((_options: object, command: Command) =>
      run(command, async (store) => {
        const organizations = await store.organizations();
        return {
          lines: table(
            ['SLUG', 'NAME', 'EVIDENCE', 'ID'],
            organizations.map(({ slug, name, evidence, id }) => [slug, name, evidence, id]),
          ),
          json: organizations.map(({ id, slug, name, evidence, createdAt }) => {
            return { id, slug, name, evidence, createdAt: instant(createdAt) };
          }),
        };
      }),
    );
  org.addCommand(domainCommand(run));
  return org;
}

function domainCommand(run: RunCommand): Command {
  const domain = new Command('domain').description("an organization's own domains");
  domain
    .command('add')
    .description('add a domain of its own: it never counts as an account')
    .argument('<org>', 'slug or id')
    .argument('<domain>', 'for example acme.com', registrableDomain)
    .action((org: string, domain: string, _options: object, command: Command) =>
      run(command, async (store) => {
        const { id, slug } = await organizationOf(store, org);
        await store.rules.addDomain(id, domain);
        return {
          lines: [`${domain} is a domain of ${slug}, and no account.`],
          json: { organization: slug, domain },
        };
      }),
    );
  domain
    .command('remove')
    .description('take a domain back')
    .argument('<org>', 'slug or id')
    .argument('<domain>', 'for example acme.com', registrableDomain)
    .action((org: string, domain: string, _options: object, command: Command) =>
      run(command, async (store) => {
        const { id, slug } = await organizationOf(store, org);
        if (!(await store.rules.removeDomain(id, domain))) {
          throw new CommandFailedError('domain_not_found', `${slug} has no domain ${domain}.`);
        }
        return { lines: [`${domain} may be an account.`], json: { organization: slug, domain } };
      }),
    );
  domain
    .command('list')
    .description('list its domains')
    .argument('<org>', 'slug or id')
    .action((org: string, _options: object, command: Command) =>
      run(command, async (store) => {
        const domains = await store.rules.domains((await organizationOf(store, org)).id);
        return { lines: domains, json: domains };
      }),
    );
  return domain;
}
