type Sent<T> = T | null | undefined;

/**
 * One event as a client sent it, after its shape was accepted: UsageTrackingEvent of specification
 * 2.3 with its wire names. `null` counts as absent everywhere.
 */
export interface SentUsageEvent {
  readonly eventType?: Sent<string>;
  readonly event_name?: Sent<string>;
  readonly eventFamily?: Sent<string>;
  readonly event_family?: Sent<string>;
  readonly developerId?: Sent<string>;
  readonly developer_id?: Sent<string>;
  readonly userId?: Sent<string>;
  readonly email?: Sent<string>;
  readonly account_domain?: Sent<string>;
  readonly product?: Sent<SentProduct>;
  readonly account?: Sent<SentAccount>;
  readonly workflow?: Sent<FreeForm>;
  readonly workload?: Sent<FreeForm>;
  readonly mcp_server?: Sent<string>;
  readonly mcp_tool?: Sent<string>;
  readonly agent_framework?: Sent<string>;
  readonly model_provider?: Sent<string>;
  readonly tokens_consumed?: Sent<number>;
  readonly credit_cents?: Sent<number>;
  readonly latency_ms?: Sent<number>;
  readonly retry_count?: Sent<number>;
  readonly error_count?: Sent<number>;
  readonly metadata?: Sent<FreeForm>;
  readonly context?: Sent<{ readonly attribution?: Sent<SentAttribution> }>;
  readonly occurredAt?: Sent<string>;
  readonly projectId?: Sent<string>;
  readonly idempotencyKey?: Sent<string>;
  readonly event_id?: Sent<string>;
  readonly source?: Sent<string>;
  readonly [extra: string]: unknown;
}

export type FreeForm = Readonly<Record<string, unknown>>;

export interface SentProduct {
  readonly id?: Sent<string>;
  readonly name?: Sent<string>;
  readonly type?: Sent<string>;
  readonly version?: Sent<string>;
}

export interface SentAccount {
  readonly name?: Sent<string>;
  readonly domain?: Sent<string>;
}

export interface SentAttribution {
  readonly campaignId?: Sent<string>;
  readonly source?: Sent<string>;
}
