import type { TrackingKeyStore } from './tracking-key-store.js';

const keys_max = 10_000;

/**
 * Collects which keys are in use, so that requests cost no write: whoever owns this calls `flush`
 * once a minute and when it stops.
 */
export class KeyUse {
  /** Key → when it was used last, epoch milliseconds. */
  private used = new Map<string, number>();

  constructor(private readonly store: TrackingKeyStore) {}

  /** Notes a use; beyond ten thousand keys between two flushes the rest goes unnoticed. */
  note(keyId: string, at: number = Date.now()): void {
    if (this.used.size < keys_max || this.used.has(keyId)) this.used.set(keyId, at);
  }

  /** Writes all noted keys with their times in one statement; after a failure they stay noted. */
  async flush(): Promise<void> {
    const noted = this.used;
    this.used = new Map();
    try {
      await this.store.markUsed(noted);
    } catch (error) {
      for (const [keyId, at] of noted) this.note(keyId, Math.max(at, this.used.get(keyId) ?? 0));
      throw error;
    }
  }
}
