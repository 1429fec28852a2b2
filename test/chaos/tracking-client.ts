import type { Outcome, SentEvent } from './attempt.js';
import type { PlannedRequest } from './request-plan.js';

export interface TrackingAddress {
  readonly baseUrl: string;
  readonly trackingKey: string;
}

/** Longer than any deadline inside the service: what takes longer hangs. */
const request_ms_max = 15_000;
const developers = 97;

/** Sends one request once, and says what its client learned. Never throws. */
export async function send(request: PlannedRequest, to: TrackingAddress): Promise<Outcome> {
  const events = request.events.map((event) => toWireEvent(event));
  const path = request.batch ? '/api/usage/track/batch' : '/api/usage/track';
  try {
    const answer = await fetch(to.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${to.trackingKey}` },
      body: JSON.stringify(request.batch ? { events } : events[0]),
      signal: AbortSignal.timeout(request_ms_max),
    });
    const text = await answer.text();
    const retryAfter = Number(answer.headers.get('retry-after'));
    if (answer.status === 503 && !(retryAfter > 0)) {
      return { kind: 'uncertain', why: '503 without Retry-After' };
    }
    return toOutcome(answer.status, text, request.batch);
  } catch (error) {
    const { name, cause } = error as Error;
    const code = (cause as { code?: unknown } | undefined)?.code;
    return { kind: 'uncertain', why: typeof code === 'string' ? code : name };
  }
}

/** The content is the latency, which the read model keeps; half of the events tell their time. */
function toWireEvent({ key, content, valid }: SentEvent): object {
  const developer = content % developers;
  return {
    event_name: valid ? 'FIRST_API_CALL' : 'no such name',
    developer_id: `developer-${developer}`,
    account_domain: 'customer.example',
    product: { id: 'starter' },
    idempotencyKey: key,
    latency_ms: content,
    ...(content % 20 < 10 && { occurredAt: occurred_at }),
  };
}

/** One moment for the whole run: a repeat has to say what the first sending said. */
const occurred_at = new Date(Date.now() - 60_000).toISOString();

interface TrackedAnswer {
  readonly tracked?: boolean;
  readonly eventId?: string;
  readonly duplicate?: boolean;
  readonly results?: readonly TrackedAnswer[];
  readonly errors?: readonly { readonly code?: string; readonly pointer?: string }[];
}

function toOutcome(status: number, text: string, batch: boolean): Outcome {
  if (status >= 500) return { kind: 'uncertain', why: String(status) };
  const body = JSON.parse(text) as TrackedAnswer;
  if (status >= 400) {
    const conflicts = (body.errors ?? [])
      .filter(({ code }) => code === 'idempotency_conflict')
      .map(({ pointer = '' }) => Number(pointer.split('/')[2] ?? 0));
    return { kind: 'refused', status, conflicts };
  }
  const answers = batch ? (body.results ?? []) : [body];
  return {
    kind: 'tracked',
    events: answers
      .filter(({ tracked }) => tracked === true)
      .map(({ eventId = '', duplicate = false }) => ({ eventId, duplicate })),
  };
}
