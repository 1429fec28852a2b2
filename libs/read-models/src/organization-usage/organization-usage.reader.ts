import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { DayWindow } from '#domain/adoption/period.js';
import { event_families, type EventFamily } from '#domain/usage/event-catalogue.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import {
  organization_accounts,
  organization_campaigns,
  organization_funnel,
  organization_retention,
} from './organization-usage.queries.js';

/** Rows of one answer, at most. */
const rows_max = 1_000;

export interface FunnelStep {
  readonly family: EventFamily;
  readonly developers: number;
  readonly accounts: number;
  readonly events: number;
}

export interface AccountUsage {
  /** 64-bit key of the account's domain, as a decimal string. */
  readonly accountKey: string;
  readonly developers: number;
  readonly activatedDevelopers: number;
  readonly events: number;
  /** UTC days within the window, `YYYY-MM-DD`. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface CampaignUsage {
  readonly campaignId: string;
  /** Empty where none was named. */
  readonly source: string;
  readonly developers: number;
  readonly activatedDevelopers: number;
  readonly accounts: number;
  readonly events: number;
}

/** Of `cohort` developers, `retained` came back after seven days or more. */
export interface RetentionD7 {
  readonly cohort: number;
  readonly retained: number;
}

interface Counts {
  readonly developers: number;
  readonly accounts: number;
  readonly events: number | string;
}

/**
 * Exact figures of one organization's own events, for nobody else's eyes. There is no way to ask
 * without naming the organization: every statement binds it.
 */
export class OrganizationUsage {
  private constructor(
    private readonly clickhouse: Clickhouse,
    private readonly tables: AdoptionTables,
    private readonly organizationId: string,
  ) {}

  /** The figures of the organization of this id, a UUID. */
  static of(
    clickhouse: Clickhouse,
    tables: AdoptionTables,
    organizationId: string,
  ): OrganizationUsage {
    return new OrganizationUsage(clickhouse, tables, organizationId);
  }

  /** Every family in the order of the catalogue, also those without events. */
  async funnel(window: DayWindow): Promise<readonly FunnelStep[]> {
    const rows = await this.rows<Counts & { family: EventFamily }>(organization_funnel, window);
    return event_families.map((family) => {
      const row = rows.find((step) => step.family === family);
      const { developers = 0, accounts = 0, events = 0 } = row ?? {};
      return { family, developers, accounts, events: Number(events) };
    });
  }

  /** Customers with the most developers first; at most 1000. */
  async accounts(window: DayWindow): Promise<readonly AccountUsage[]> {
    const rows = await this.rows<
      Omit<Counts, 'accounts'> & {
        readonly account: string;
        readonly activated: number;
        readonly first_day: string;
        readonly last_day: string;
      }
    >(organization_accounts, window);
    return rows.map(({ account, developers, activated, events, first_day, last_day }) => ({
      accountKey: account,
      developers,
      activatedDevelopers: activated,
      events: Number(events),
      firstDay: first_day,
      lastDay: last_day,
    }));
  }

  /** Campaigns with the most developers first, each source on its own; at most 1000. */
  async campaigns(window: DayWindow): Promise<readonly CampaignUsage[]> {
    const rows = await this.rows<
      Counts & {
        readonly campaign: string;
        readonly source: string;
        readonly activated: number;
      }
    >(organization_campaigns, window);
    return rows.map(({ campaign, source, developers, activated, accounts, events }) => ({
      campaignId: campaign,
      source,
      developers,
      activatedDevelopers: activated,
      accounts,
      events: Number(events),
    }));
  }

  /** Retention of those who activated in the window moved seven days into the past. */
  async retentionD7(window: DayWindow): Promise<RetentionD7> {
    const [row] = await this.rows<RetentionD7>(organization_retention, window);
    return { cohort: row?.cohort ?? 0, retained: row?.retained ?? 0 };
  }

  private rows<Row>(sql: string, window: DayWindow): Promise<Row[]> {
    const { start, endExclusive } = window;
    const bound = { organization: this.organizationId, start, endExclusive, limit: rows_max };
    return this.clickhouse.rows<Row>(sql, { ...this.tables, ...bound });
  }
}
