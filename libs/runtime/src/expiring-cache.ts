interface Entry<V> {
  readonly value: Promise<V>;
  readonly expiresAt: number;
}

/**
 * Remembers what `load` answered for a while. Callers that ask at once share one load; a failed
 * load is forgotten. The oldest entry makes room for a new one.
 */
export class ExpiringCache<V> {
  private readonly entries = new Map<string, Entry<V>>();

  constructor(
    private readonly options: { readonly ttlMs: number; readonly entriesMax: number },
    private readonly load: (key: string) => Promise<V>,
  ) {}

  get(key: string, now: number = Date.now()): Promise<V> {
    const known = this.entries.get(key);
    if (known !== undefined && known.expiresAt > now) return known.value;
    const value = this.load(key);
    value.catch(() => this.entries.delete(key));
    this.entries.delete(key);
    if (this.entries.size >= this.options.entriesMax) {
      this.entries.delete(this.entries.keys().next().value as string);
    }
    this.entries.set(key, { value, expiresAt: now + this.options.ttlMs });
    return value;
  }
}
