import type { Attack } from './attack.js';
import * as changes from './one-change.js';
import * as sameness from './sameness.js';
import * as single from './single-cohorts.js';
import * as subtraction from './subtraction.js';
import * as thresholds from './thresholds.js';

/** Every attack that the policy has to withstand. */
export const all_attacks: readonly Attack[] = [
  ...Object.values(subtraction),
  ...Object.values(single),
  ...Object.values(changes),
  ...Object.values(thresholds),
  ...Object.values(sameness),
];
