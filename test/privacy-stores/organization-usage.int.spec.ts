import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { windowOf } from '#domain/adoption/period.js';
import type { EventFamily } from '#domain/usage/event-catalogue.js';
import { DeveloperAliasWriter } from '#read-models/developer-alias/developer-alias.writer.js';
import { OrganizationUsage } from '#read-models/organization-usage/organization-usage.reader.js';
import {
  acceptedEvent,
  daysAgo,
  openProjectorWorld,
  type ProjectorWorld,
} from '../projector/projector-world.js';
import { first_version } from '../support/first-version.js';

let world: ProjectorWorld;
const [ours, theirs, nobodys] = [randomUUID(), randomUUID(), randomUUID()];
const week = windowOf('7d', new Date());

interface Sent {
  readonly family?: EventFamily;
  readonly account?: number;
  readonly campaign?: readonly [id: string, source: string];
  readonly days?: number;
}

const eventOf = (organizationId: string, developer: number, sent: Sent = {}): UsageAccepted =>
  acceptedEvent(null, developer, {
    organizationId,
    eventFamily: sent.family ?? 'activation',
    occurredAt: daysAgo(sent.days ?? 0),
    campaignId: sent.campaign?.[0] ?? null,
    campaignSource: sent.campaign?.[1] ?? null,
    ...(sent.account !== undefined && { account: sent.account }),
  });

beforeAll(async () => {
  world = await openProjectorWorld();
  await world.accept([
    eventOf(ours, 1, { family: 'evaluation', account: 11 }),
    eventOf(ours, 1, { account: 11, campaign: ['spring', 'newsletter'] }),
    eventOf(ours, 1, { account: 11, campaign: ['spring', 'newsletter'], days: 2 }),
    eventOf(ours, 2, { account: 12, campaign: ['spring', 'talk'], family: 'intent' }),
    // Developer 3 is the same person as developer 2, as was found out later.
    eventOf(ours, 3, { account: 12 }),
    // Activated ten days ago; developer 4 came back today, 5 after three days only, 6 never.
    eventOf(ours, 4, { days: 10 }),
    eventOf(ours, 4, { family: 'retention' }),
    eventOf(ours, 5, { days: 10 }),
    eventOf(ours, 5, { family: 'retention', days: 7 }),
    eventOf(ours, 6, { days: 10 }),
    // Activated long before: no part of the cohort, whatever came later.
    eventOf(ours, 7, { days: 60 }),
    eventOf(ours, 7, { days: 10 }),
    // Another organization has events of the same developers, accounts and campaigns.
    ...[1, 2, 3, 4, 8, 9].flatMap((developer) => [
      eventOf(theirs, developer, { account: 11, campaign: ['spring', 'newsletter'], days: 12 }),
      eventOf(theirs, developer, { account: 11, campaign: ['spring', 'newsletter'] }),
      eventOf(theirs, developer, { account: 12, family: 'commercial' }),
    ]),
  ]);
  await world.deliverAll();
  await new DeveloperAliasWriter(world.clickhouse).write([
    { devKey: '9000000000000000003', canonicalKey: '9000000000000000002', version: '1' },
  ]);
});
afterAll(() => world.close());

const usage = (organizationId: string) =>
  OrganizationUsage.of(world.clickhouse, first_version.tables, organizationId);
const step = (family: string, developers: number, accounts: number, events: number) => ({
  family,
  developers,
  accounts,
  events,
});

describe('the figures of an organization', () => {
  it('say how many of its developers and accounts each family has', async () => {
    expect(await usage(ours).funnel(week)).toEqual([
      step('intent', 1, 1, 1),
      step('evaluation', 1, 1, 1),
      step('activation', 2, 2, 3),
      step('retention', 1, 0, 1),
      step('expansion', 0, 0, 0),
      step('commercial', 0, 0, 0),
    ]);
  });

  it('name its accounts, linked developers counted once', async () => {
    const accounts = await usage(ours).accounts(week);
    expect(accounts).toEqual([
      {
        accountKey: '11',
        developers: 1,
        activatedDevelopers: 1,
        events: 3,
        firstDay: daysAgo(2).slice(0, 10),
        lastDay: daysAgo(0).slice(0, 10),
      },
      expect.objectContaining({ accountKey: '12', developers: 1, events: 2 }),
    ]);
  });

  it('tell what its campaigns brought, source by source', async () => {
    expect(await usage(ours).campaigns(week)).toEqual([
      {
        campaignId: 'spring',
        source: 'newsletter',
        developers: 1,
        activatedDevelopers: 1,
        accounts: 1,
        events: 2,
      },
      expect.objectContaining({ source: 'talk', developers: 1, activatedDevelopers: 0 }),
    ]);
  });

  it('count who came back seven days after activating, of those who did in time', async () => {
    expect(await usage(ours).retentionD7(week)).toEqual({ cohort: 3, retained: 1 });
  });

  it('hold nothing of another organization, and theirs nothing of ours', async () => {
    const own = usage(theirs);
    expect((await own.funnel(week)).filter(({ events }) => events > 0)).toEqual([
      step('activation', 5, 1, 6),
      step('commercial', 5, 1, 6),
    ]);
    expect((await own.accounts(week)).map(({ events }) => events)).toEqual([6, 6]);
    expect((await own.campaigns(week)).map(({ events }) => events)).toEqual([6]);
    expect(await own.retentionD7(week)).toEqual({ cohort: 5, retained: 5 });
  });

  it('are empty for an organization without events, and refused for what is no id', async () => {
    const none = usage(nobodys);
    expect((await none.funnel(week)).every(({ events }) => events === 0)).toBe(true);
    expect(await none.accounts(week)).toEqual([]);
    expect(await none.campaigns(week)).toEqual([]);
    expect(await none.retentionD7(week)).toEqual({ cohort: 0, retained: 0 });
    await expect(usage("' OR 1 = 1").funnel(week)).rejects.toThrow();
  });
});
