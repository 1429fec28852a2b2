import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { no_product } from '../column-types.js';
import { insertStatement } from '../insert-statement.js';

/** Columns in the order in which `toUsageEventRow` gives their values. */
const columns = [
  'event_id',
  'organization_id',
  'product_id',
  'event_name',
  'family',
  'dev_key',
  'account_key',
  'evidence',
  'campaign_id',
  'campaign_source',
  'occurred_at',
  'received_at',
  'tokens_consumed',
  'credit_cents',
  'latency_ms',
  'retry_count',
  'error_count',
  'log_partition',
  'log_offset',
  'row_version',
] as const;

export const insert_usage_events = insertStatement('{usage_events:Identifier}', columns);

/** Where a message stands in the log. */
export interface LogPlace {
  readonly partition: number;
  readonly offset: bigint;
}

/**
 * One row as a line of JSONCompactEachRow. The version is the offset, so a replay writes the very
 * row that is there, and of two deliveries of one event the later one stays. Ids, keys, labels and
 * times are put in quotes as they are: a message that was decoded holds nothing to escape there.
 */
export function toUsageEventRow(message: UsageAccepted, place: LogPlace): string {
  const { eventId, organizationId, productId, eventFamily, devKey, accountKey, evidence } = message;
  const offset = place.offset.toString();
  return (
    `["${eventId}","${organizationId}","${productId ?? no_product}",` +
    `${quoted(message.eventName)},"${eventFamily}","${devKey}","${accountKey ?? 0}",` +
    `"${evidence}",${quoted(message.campaignId ?? '')},${quoted(message.campaignSource ?? '')},` +
    `"${toClickhouseTime(message.occurredAt)}","${toClickhouseTime(message.receivedAt)}",` +
    `${message.tokensConsumed},${message.creditCents},${message.latencyMs},` +
    `${message.retryCount},${message.errorCount},` +
    `${place.partition},"${offset}","${offset}"]\n`
  );
}

const plain_text = /^[\w .:/-]*$/;

/**
 * A JSON string; most names need no look at each of their characters. Half a surrogate pair, which
 * the API took before it refused them, becomes U+FFFD: ClickHouse would refuse the whole block.
 */
function quoted(text: string): string {
  return plain_text.test(text) ? `"${text}"` : JSON.stringify(text.toWellFormed());
}

/** `2026-03-01T10:00:00.123Z` as `2026-03-01 10:00:00.123`, which needs no lenient parser. */
function toClickhouseTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}
