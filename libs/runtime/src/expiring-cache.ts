interface Entry<V> {
  readonly value: Promise<V>;
  readonly expiresAt: number;
  /** What the load answered, once it has. */
  answer: V | undefined;
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
    const expiresAt = now + this.options.ttlMs;
    const entry: Entry<V> = { value: this.load(key), expiresAt, answer: undefined };
    entry.value.then(
      (answer) => (entry.answer = answer),
      () => this.forget(key, entry),
    );
    this.entries.delete(key);
    if (this.entries.size >= this.options.entriesMax) {
      this.entries.delete(this.entries.keys().next().value as string);
    }
    this.entries.set(key, entry);
    return entry.value;
  }

  /** What is remembered, without a load and without waiting; undefined when nothing is. */
  known(key: string, now: number = Date.now()): V | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.expiresAt > now ? entry.answer : undefined;
  }

  /** Forgets everything; loads that are under way answer those who wait for them. */
  clear(): void {
    this.entries.clear();
  }

  /** A load that fails late must not take along the one that followed it. */
  private forget(key: string, failed: Entry<V>): void {
    if (this.entries.get(key) === failed) this.entries.delete(key);
  }
}
