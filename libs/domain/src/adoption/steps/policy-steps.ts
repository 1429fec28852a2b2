import type { PublicationStep } from '../cell.js';
import { doubleBase, expiry, rounding } from './figures.js';
import { carryForward, differenceGate, sameFigures } from './gate.js';
import { complement, retentionSides } from './parts.js';
import { concentration, dominance, hysteresis, size } from './primary.js';

/**
 * The policy, in the order in which it judges a cell: is the cohort large and undominated, are its
 * parts, would it give away a difference, what is shown of it, and what is shown instead.
 */
export const policy_steps: readonly PublicationStep[] = [
  hysteresis,
  size,
  concentration,
  dominance,
  complement,
  retentionSides,
  differenceGate,
  sameFigures,
  doubleBase,
  rounding,
  carryForward,
  expiry,
];
