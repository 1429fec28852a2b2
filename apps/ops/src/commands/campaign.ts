import { Command } from 'commander';
import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { instant, table, type Answer } from '../answer.js';
import { campaignId, label, moment } from '../arguments.js';
import { organizationOf, refuseExisting } from '../lookups.js';
import type { RunCommand } from '../run-command.js';
import { UsageError } from '../usage-error.js';

interface CreateOptions {
  readonly org: string;
  readonly name?: string;
  readonly source?: string;
  readonly starts?: Date;
  readonly ends?: Date;
}

export function campaignCommand(run: RunCommand): Command {
  const campaign = new Command('campaign').description('campaigns that events are attributed to');
  campaign
    .command('create')
    .description('register a campaign')
    .argument('<id>', 'what events carry as context.attribution.campaignId', campaignId)
    .requiredOption('--org <org>', 'slug or id of its organization')
    .option('--name <name>', 'its name; the id when absent', label)
    .option('--source <source>', 'source of events that name none')
    .option('--starts <time>', 'its first moment, for example 2026-03-01', moment)
    .option('--ends <time>', 'the moment after its last', moment)
    .action((slug: string, options: CreateOptions, command: Command) =>
      run(command, (store) => createCampaign(store, slug, options)),
    );
  campaign
    .command('list')
    .description('list the campaigns of an organization, oldest first')
    .requiredOption('--org <org>', 'slug or id')
    .action(({ org }: { readonly org: string }, command: Command) =>
      run(command, async (store) => {
        const campaigns = await store.rules.campaigns((await organizationOf(store, org)).id);
        const shown = campaigns.map(({ id, slug, name, source, startsAt, endsAt }) => {
          const [starts, ends] = [instant(startsAt), instant(endsAt)];
          return { campaignId: slug, name, source, startsAt: starts, endsAt: ends, id };
        });
        return {
          lines: table(
            ['CAMPAIGN', 'NAME', 'SOURCE', 'STARTS', 'ENDS', 'ID'],
            shown.map((row) => Object.values(row)),
          ),
          json: shown,
        };
      }),
    );
  return campaign;
}

async function createCampaign(
  store: DirectoryStore,
  slug: string,
  { org, name = slug, source, starts, ends }: CreateOptions,
): Promise<Answer> {
  if (starts !== undefined && ends !== undefined && ends <= starts) {
    throw new UsageError('The campaign has to end (--ends) after it starts (--starts).');
  }
  const organization = await organizationOf(store, org);
  const known = await store.rules.campaigns(organization.id);
  refuseExisting('a campaign', slug, known.find((campaign) => campaign.slug === slug) ?? null);
  const draft = { organizationId: organization.id, slug, name };
  const [startsAt, endsAt] = [starts ?? null, ends ?? null];
  const id = await store.rules.createCampaign({
    ...draft,
    source: source ?? null,
    startsAt,
    endsAt,
  });
  return {
    lines: [`Events with the campaignId ${slug} count for this campaign of ${organization.slug}.`],
    json: {
      id,
      organization: organization.slug,
      campaignId: slug,
      name,
      source: source ?? null,
      startsAt: instant(startsAt),
      endsAt: instant(endsAt),
    },
  };
}
