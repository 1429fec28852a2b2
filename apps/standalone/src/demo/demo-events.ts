import { demo_tools, type DemoTool } from './demo-tools.js';
import { randomSequence } from './random.js';

/** One event of the demo as it is sent; `product` is the slug of its tool. */
export interface DemoEvent {
  readonly event_name: string;
  readonly developer_id: string;
  readonly account_domain: string;
  readonly product: { readonly id: string };
  readonly occurredAt: string;
  readonly idempotencyKey: string;
  readonly latency_ms?: number;
}

const day_ms = 86_400_000;
/** Yesterday is the last day: nothing of the demo lies in the future. */
const days = 89;
const first_words = ['amber', 'birch', 'copper', 'delta', 'ember', 'fjord', 'granite', 'harbor'];
const second_words = ['works', 'labs', 'systems', 'foundry', 'data', 'cloud', 'studio', 'metrics'];
/** Share of the developers who come to use a tool after trying it. */
const activated_share = 0.7;
/** Chance that a developer who uses a tool does so on a given day. */
const daily_use = 0.16;

/**
 * Every event of the demo in the order of time. The same day gives the same events, so that an
 * interrupted load can simply be repeated.
 * @param today UTC day on which the load was begun, `YYYY-MM-DD`.
 */
export function demoEvents(today: string): DemoEvent[] {
  const midnight = Date.parse(`${today}T00:00:00.000Z`);
  return demo_tools
    .flatMap((tool, index) => toolEvents(tool, index, midnight))
    .sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : 0));
}

function toolEvents(tool: DemoTool, index: number, midnight: number): DemoEvent[] {
  const random = randomSequence(index + 1);
  const events: DemoEvent[] = [];
  for (let developer = 0; developer < tool.developers; developer += 1) {
    const account = accountOf(tool, developer, random);
    const add = (event_name: string, daysAgo: number, latency_ms?: number): void => {
      events.push({
        event_name,
        developer_id: `${tool.slug}-developer-${developer}`,
        account_domain: accountDomain((account + index * 7) % 64),
        product: { id: tool.slug },
        occurredAt: new Date(
          midnight - daysAgo * day_ms + Math.floor(random() * day_ms),
        ).toISOString(),
        idempotencyKey: `demo-${tool.slug}-${events.length}`,
        ...(latency_ms === undefined ? {} : { latency_ms }),
      });
    };
    const joinedDaysAgo = 1 + Math.floor(random() * days);
    add('SIGNUP', joinedDaysAgo);
    add('API_KEY_CREATED', joinedDaysAgo);
    if (random() > activated_share) continue;
    add('FIRST_API_CALL', joinedDaysAgo);
    for (let daysAgo = joinedDaysAgo; daysAgo >= 1; daysAgo -= 1) {
      if (random() < daily_use) add('API_CALL', daysAgo, 40 + Math.floor(random() * 900));
      if (random() < daily_use / 8) add('DEPLOY', daysAgo);
    }
  }
  return events;
}

/** Some accounts are larger than others, but only where the tool says so does one stand out. */
function accountOf(tool: DemoTool, developer: number, random: () => number): number {
  const draw = random();
  // Everyone of the first few takes an account of their own, so that none stays empty.
  if (developer < tool.accounts) return developer;
  if (tool.largestAccountShare !== undefined && draw < tool.largestAccountShare) return 0;
  return Math.floor(tool.accounts * random() ** 1.3);
}

function accountDomain(account: number): string {
  const first = first_words[account % first_words.length];
  const second = second_words[Math.floor(account / first_words.length) % second_words.length];
  return `${first}-${second}.example`;
}
