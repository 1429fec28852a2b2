import type { Answer, SpecService } from './service.js';

let events = 0;

/** An event that is valid with an organization's key and was never sent before in this process. */
export function newEvent(changes: object = {}) {
  events += 1;
  return {
    event_name: 'FIRST_API_CALL',
    developer_id: `dev-${events}`,
    account_domain: 'www.customer.example',
    product: { id: 'code-search' },
    idempotencyKey: `key-${events}`,
    ...changes,
  };
}

/** Sends one event, or whatever a spec sends in its place. */
export function trackEvent(
  service: SpecService,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Answer> {
  return service.post('/api/usage/track', body, headers);
}

/** The event ids of an answer to a batch, in the order of its events. */
export function idsOf(body: Answer['body']): readonly string[] {
  return (body['results'] as readonly { readonly eventId: string }[]).map(({ eventId }) => eventId);
}
