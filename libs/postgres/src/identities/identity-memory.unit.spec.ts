import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { IdentityMemory } from './identity-memory.js';

const hashOf = (name: number | string) => createHash('sha256').update(`${name}`).digest('hex');
const names = Array.from({ length: 2_000 }, (_, index) => index);

/** Hashes that differ in one of few digits: they share homes, marks and halves. */
const alike = fc
  .tuple(fc.nat(63), fc.constantFrom(...'0123456789abcdef'), fc.constantFrom('0', '7', 'f'))
  .map(([at, digit, fill]) => fill.repeat(at) + digit + fill.repeat(63 - at));
const hash = fc.oneof(fc.nat(80).map(hashOf), alike);
/** Two hashes that agree in their first half are one to the memory, as they never are in life. */
const told = (text: string) => text.slice(0, 32);
const key = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 16n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n),
);
const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ put: hash, key }) },
  { weight: 2, arbitrary: fc.record({ page: fc.array(fc.tuple(hash, key), { maxLength: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ from: key, to: key }) },
  { weight: 1, arbitrary: fc.constant({ clear: true as const }) },
);

const toPage = (identities: readonly (readonly [string, bigint])[]) =>
  Buffer.concat(
    identities.map(([text, held]) => {
      const identity = Buffer.alloc(24);
      identity.write(told(text), 'hex');
      identity.writeBigUInt64BE(held, 16);
      return identity;
    }),
  );

/** Does the same to memory and model. */
function take(memory: IdentityMemory, model: Map<string, bigint>, one: Step): void {
  if ('put' in one) {
    memory.put(one.put, one.key);
    model.set(told(one.put), one.key);
  } else if ('page' in one) {
    memory.putPage(toPage(one.page));
    for (const [text, held] of one.page) model.set(told(text), held);
  } else if ('from' in one) {
    memory.move(new Map([[one.from, one.to]]));
    for (const [text, held] of model) if (held === one.from) model.set(text, one.to);
  } else {
    memory.clear();
    model.clear();
  }
}
type Step = (typeof step extends fc.Arbitrary<infer One> ? One : never) & object;

describe('the memory of identities', () => {
  it('answers with the last key of a hash or with none, whatever it was told', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), fc.nat(60), (steps, identitiesMax) => {
        const memory = new IdentityMemory(identitiesMax);
        const model = new Map<string, bigint>();
        const met = new Set<string>(names.slice(0, 90).map(hashOf));
        for (const one of steps) {
          take(memory, model, one);
          if ('put' in one) met.add(one.put);
          if ('page' in one) for (const [text] of one.page) met.add(text);
        }
        for (const text of met) {
          expect([undefined, model.get(told(text))]).toContain(memory.get(text));
        }
        expect(memory.size).toBeLessThanOrEqual(Math.max(64, Math.ceil((identitiesMax * 4) / 3)));
      }),
    );
  });

  it('forgets nobody while as many are told as it was made for', () => {
    const memory = new IdentityMemory(names.length);
    for (const name of names) memory.put(hashOf(name), BigInt(name));
    const kept = names.filter((name) => memory.get(hashOf(name)) === BigInt(name));
    expect(kept.length).toBeGreaterThan(names.length * 0.999);
    expect(memory.size).toBe(kept.length);
  });

  it('remembers whoever was told last, and no more than fit, when there are too many', () => {
    const memory = new IdentityMemory(300);
    for (const name of names) {
      memory.put(hashOf(name), BigInt(name));
      expect(memory.get(hashOf(name))).toBe(BigInt(name));
    }
    expect(memory.isFull).toBe(true);
    const kept = names.filter((name) => memory.get(hashOf(name)) !== undefined);
    expect(kept.length).toBe(memory.size);
    expect(kept.length).toBeLessThanOrEqual(400);
  });

  it('moves every hash of a key and nothing else', () => {
    const memory = new IdentityMemory(names.length);
    for (const name of names) memory.put(hashOf(name), BigInt(name % 10));
    memory.move(
      new Map([
        [3n, 2n ** 64n - 1n],
        [4n, 5n],
      ]),
    );
    for (const name of names) {
      const now = name % 10 === 3 ? 2n ** 64n - 1n : name % 10 === 4 ? 5n : BigInt(name % 10);
      expect([now, undefined]).toContain(memory.get(hashOf(name)));
    }
  });

  it('holds nothing after it was cleared', () => {
    const memory = new IdentityMemory(names.length);
    for (const name of names) memory.put(hashOf(name), 7n);
    memory.clear();
    expect(memory.size).toBe(0);
    expect(names.every((name) => memory.get(hashOf(name)) === undefined)).toBe(true);
  });
});
