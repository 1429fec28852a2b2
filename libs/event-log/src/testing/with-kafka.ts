import { describe, expect, it } from '@jest/globals';

/**
 * Declares tests that need a Kafka broker. A run without one says which suite it does not try:
 * nothing is left out in silence.
 */
export function withKafka(suite: string, declare: (brokers: readonly string[]) => void): void {
  const address = process.env['UPTAKE_TEST_KAFKA_BROKERS'];
  if (address !== undefined) {
    declare(address.split(','));
    return;
  }
  const sentence = `${suite}: kafka driver not tried here (npm run test:kafka tries it)`;
  describe(sentence, () => {
    it('has no broker: UPTAKE_TEST_KAFKA_BROKERS is not set', () => {
      process.stdout.write(`${sentence}\n`);
      expect(address).toBeUndefined();
    });
  });
}
