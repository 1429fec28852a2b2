import type { TrackingKeyStore } from './tracking-key-store.js';

const keys_max = 10_000;

/**
 * Collects which keys are in use, so that requests cost no write: whoever owns this calls `flush`
 * once a minute and when it stops.
 */
export class KeyUse {
  private used = new Set<string>();

  constructor(private readonly store: TrackingKeyStore) {}

  /** Notes a use; beyond ten thousand keys between two flushes the rest goes unnoticed. */
  note(keyId: string): void {
    if (this.used.size < keys_max) this.used.add(keyId);
  }

  /** Writes all noted keys with the time `at` in one statement; after a failure they stay noted. */
  async flush(at: Date): Promise<void> {
    const noted = this.used;
    this.used = new Set();
    try {
      await this.store.markUsed([...noted], at);
    } catch (error) {
      for (const keyId of noted) this.note(keyId);
      throw error;
    }
  }
}
