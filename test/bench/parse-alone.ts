import { startChild } from './child.js';
import type { ValidationCosts, ValidationPlan } from './rows/validation.js';

/** A window here is one function alone in a process: it needs less time than a server. */
const seconds_of_window_share = 0.1;

/** JSON.parse of the events and nothing else, in a process of its own. */
export interface ParseAlone {
  /** CPU time of one event in microseconds, measured in a window that is short beside `seconds`. */
  cost(seconds: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startParseAlone(): Promise<ParseAlone> {
  const child = await startChild('validation');
  return {
    cost: async (seconds) => {
      const plan: ValidationPlan = { windows: 1, seconds: seconds * seconds_of_window_share };
      const { parse } = (await child.ask(plan)) as ValidationCosts;
      return parse[0]!;
    },
    stop: () => child.stop(),
  };
}
