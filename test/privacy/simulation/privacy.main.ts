import { parseArgs } from 'node:util';
import { simulate } from './simulate.js';
import { compareRules } from './weaker-rules.js';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, worlds: { type: 'string' } },
});

function wholeNumber(name: 'seed' | 'worlds', otherwise: number): number {
  const value = Number(values[name] ?? otherwise);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new Error(`--${name} is "${values[name]}"; it must be a whole number from 1 on.`);
}

const seed = wholeNumber('seed', 20_260_301);
simulate(seed);
process.stdout.write('\n');
compareRules(seed, wholeNumber('worlds', 100));
