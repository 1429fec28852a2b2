import { setTimeout as pause } from 'node:timers/promises';

const poll_ms = 50;

/** Asks again until `check` holds; after `withinMs` it throws, with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  check: (answer: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (check(answer)) return answer;
    if (Date.now() > end) throw new Error(`Not so in time; the last answer: ${shown(answer)}`);
    await pause(poll_ms);
  }
}

function shown(answer: unknown): string {
  const text = JSON.stringify(answer, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return text.slice(0, 2000);
}
