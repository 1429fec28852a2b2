/** Slots that are looked at for one hash, from its home on. */
const window_slots = 64;
/** With this much room to spare, hardly any window is full before all fit. */
const slots_per_identity = 4 / 3;

/** Layout of an identity in a page: the first half of its hash 16, its key 8. */
export const paged_identity_bytes = 24;

/** Layout of a slot in 32-bit words: the first half of a hash 4, its key 2. */
const slot_words = 6;

/**
 * A bounded memory of identity hash → developer key: one flat array, which costs the garbage
 * collector nothing, 24 bytes a slot, which the system lends as they fill. Of a hash the first 128
 * bits are kept: hashes are keyed, so nobody can choose two that agree in them, and among a million
 * the chance is 2^-88. A hash is found in one of the slots that follow its home; where all of those
 * are taken, a new one replaces one of them.
 */
export class IdentityMemory {
  private readonly slots: number;
  /** A slot whose first word is 0 is free. */
  private readonly words: Uint32Array;
  /** The same memory; the key of a slot is the last of its three. */
  private readonly keys: BigUint64Array;
  private readonly sought = new Uint32Array(4);
  private count = 0;
  private turn = 0;

  constructor(private readonly identitiesMax: number) {
    this.slots = Math.max(window_slots, Math.ceil(identitiesMax * slots_per_identity));
    this.words = new Uint32Array(this.slots * slot_words);
    this.keys = new BigUint64Array(this.words.buffer);
  }

  get size(): number {
    return this.count;
  }

  /** Whether it holds as many identities as it was made for; beyond it, windows overflow. */
  get isFull(): boolean {
    return this.count >= this.identitiesMax;
  }

  /** The key of a hash, 64 lower-case hex digits; undefined when it is not remembered. */
  get(hash: string): bigint | undefined {
    this.seek(hash);
    const slot = this.slotOfSought();
    return slot === null || this.isFree(slot) ? undefined : this.keys[3 * slot + 2];
  }

  /** Remembers the key of a hash, 64 lower-case hex digits, in place of what it had. */
  put(hash: string, key: bigint): void {
    this.seek(hash);
    this.keep(key);
  }

  /** Remembers the identities of a page, each `paged_identity_bytes` long. */
  putPage(page: Buffer): void {
    for (let at = 0; at < page.length; at += paged_identity_bytes) {
      for (let word = 0; word < 4; word += 1) this.sought[word] = page.readUInt32BE(at + 4 * word);
      this.keep(page.readBigUInt64BE(at + 16));
    }
  }

  /**
   * Gives every hash that has a key of `moves` the key that it leads to. Looks at every slot, some
   * two milliseconds for a million, so keys are told apart by 16 bits before they are looked up.
   */
  move(moves: ReadonlyMap<bigint, bigint>): void {
    if (this.count === 0 || moves.size === 0) return;
    const suspect = new Uint8Array(2 ** 16);
    for (const key of moves.keys()) suspect[firstBits(key)] = 1;
    for (let slot = 0; slot < this.slots; slot += 1) {
      if (suspect[this.words[slot_words * slot + 4]! & 0xffff] === 0 || this.isFree(slot)) continue;
      const key = this.keys[3 * slot + 2]!;
      this.keys[3 * slot + 2] = moves.get(key) ?? key;
    }
  }

  /** Forgets everything, so that no trace of an erased developer stays in memory. */
  clear(): void {
    if (this.count === 0) return;
    this.words.fill(0);
    this.count = 0;
  }

  private seek(hash: string): void {
    for (let word = 0; word < 4; word += 1) this.sought[word] = wordOf(hash, 8 * word);
  }

  /** The slot of the sought hash, or the free one that it would get; null when there is neither. */
  private slotOfSought(): number | null {
    const { words, sought, slots } = this;
    let slot = this.homeOfSought();
    for (let seen = 0; seen < window_slots; seen += 1) {
      const at = slot_words * slot;
      if (words[at] === 0) return slot;
      if (
        words[at] === sought[0] &&
        words[at + 1] === sought[1] &&
        words[at + 2] === sought[2] &&
        words[at + 3] === sought[3]
      ) {
        return slot;
      }
      slot = slot + 1 === slots ? 0 : slot + 1;
    }
    return null;
  }

  private isFree(slot: number): boolean {
    return this.words[slot_words * slot] === 0;
  }

  private homeOfSought(): number {
    return Math.floor((this.sought[1]! / 2 ** 32) * this.slots);
  }

  private keep(key: bigint): void {
    // One hash in four billion looks like a free slot; it is asked for each time.
    if (this.sought[0] === 0) return;
    const slot = this.slotOfSought() ?? this.slotToReplace();
    if (this.isFree(slot)) this.count += 1;
    this.words.set(this.sought, slot_words * slot);
    this.keys[3 * slot + 2] = key;
  }

  private slotToReplace(): number {
    this.turn = (this.turn + 1) % window_slots;
    return (this.homeOfSought() + this.turn) % this.slots;
  }
}

/** The 16 bits that `move` tells keys apart by, in whichever order the system has the words. */
function firstBits(key: bigint): number {
  return new Uint32Array(new BigUint64Array([key]).buffer)[0]! & 0xffff;
}

/** The number that eight lower-case hex digits are, modulo 2^32 with a sign. */
function wordOf(hash: string, at: number): number {
  let word = 0;
  for (let index = at; index < at + 8; index += 1) {
    const unit = hash.charCodeAt(index);
    word = (word << 4) | (unit < 0x40 ? unit - 0x30 : unit - 0x57);
  }
  return word;
}
