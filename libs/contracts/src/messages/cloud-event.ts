/** Attributes of a message that travel as log headers (CloudEvents 1.0, binary content mode). */
export interface CloudEventAttributes {
  readonly id: string;
  readonly type: string;
  /** The room that wrote the message, `/api` or `/ingest-worker`. */
  readonly source: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** W3C trace context of the request that caused the message. */
  readonly traceparent: string | null;
}

export function toCloudEventHeaders(attributes: CloudEventAttributes): Record<string, string> {
  const headers: Record<string, string> = {
    ce_specversion: '1.0',
    ce_id: attributes.id,
    ce_type: attributes.type,
    ce_source: attributes.source,
    ce_time: attributes.time,
    'content-type': 'application/json',
  };
  if (attributes.traceparent !== null) headers['traceparent'] = attributes.traceparent;
  return headers;
}
