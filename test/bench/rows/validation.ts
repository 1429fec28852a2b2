import type { BenchContext } from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { startChild } from '../child.js';
import { median, medianRatio } from '../statistics.js';
import { short, us } from '../wording.js';

/** A window here is one function alone in a process: it needs less time than a server. */
const seconds_of_window_share = 0.1;

export interface ValidationPlan {
  readonly windows: number;
  readonly seconds: number;
}

/** Microseconds of CPU time for one event, by window. */
export interface ValidationCosts {
  readonly parse: readonly number[];
  readonly accept: readonly number[];
  readonly check: readonly number[];
}

/** The compiled contract against parsing the event, and class-validator against the same. */
export async function measureValidation({ options }: BenchContext): Promise<readonly BenchRow[]> {
  const child = await startChild('validation');
  try {
    const plan: ValidationPlan = {
      windows: options.windows,
      seconds: options.windowSeconds * seconds_of_window_share,
    };
    const { parse, accept, check } = (await child.ask(plan)) as ValidationCosts;
    return [
      {
        figure: 'validation, compiled contract ÷ JSON.parse of the event',
        measured: us(median(accept)),
        baseline: us(median(parse)),
        value: medianRatio(accept, parse),
        unit: '',
        bar: { kind: 'at most', now: 0.35, next: 0.2 },
        notes: [
          `class-validator with class-transformer: ${us(median(check))}, ` +
            `${short(medianRatio(check, parse))} times JSON.parse`,
        ],
      },
    ];
  } finally {
    await child.stop();
  }
}
