import { describe, expect, it } from '@jest/globals';
import { all_attacks } from './attacks/all-attacks.js';
import { attack_seed, attempt } from './attacks/attack.js';
import { full_policy } from './world/paper-publisher.js';

describe(`under the full policy fails, in every world of seed ${attack_seed}:`, () => {
  it.each(all_attacks.map((attack) => [attack.name, attack] as const))('%s', (_name, attack) => {
    expect(attempt(attack, full_policy)).toBeNull();
  });
});
