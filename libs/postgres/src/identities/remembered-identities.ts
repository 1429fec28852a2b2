import type { DataSource } from 'typeorm';
import { askByName } from '../named-statement.js';
import { generation_columns, isSameGeneration } from './identity-generation.js';
import type { IdentityGeneration } from './identity-generation.js';
import { IdentityMemory } from './identity-memory.js';
import type { IdentityPage } from './identity-pages.js';

/** Moves that are followed one by one; after more of them everything is asked for again. */
const moves_max = 1_000;
const move_bytes = 16;

/** `moves`: the aliases that were made or changed after version `$1`, none when that is null. */
const catch_up = {
  name: 'catch-up-identities',
  text: `
  select ${generation_columns},
    (select string_agg(int8send(dev_key) || int8send(canonical_key), ''::bytea)
     from (select dev_key, canonical_key from developer_alias
           where version > $1::bigint limit ${moves_max + 1}) as moved) as moves`,
};

interface CatchUpAnswer extends IdentityGeneration {
  readonly moves: Buffer | null;
}

/**
 * What this process remembers of the registry, true of one generation. `catchUp` before reading:
 * what `keyOf` answers then is what the table said when that was asked, so to remember is as good
 * as to ask. The order that this rests on: the generation is read in the statement that reads the
 * rows, and rows are kept only if the memory is of their generation by then. So a row from before
 * a link or an erasure never enters a memory that has heard of it.
 */
export class RememberedIdentities {
  private readonly memory: IdentityMemory;
  private generation: IdentityGeneration | null = null;

  constructor(
    private readonly database: DataSource,
    identitiesMax: number,
  ) {
    this.memory = new IdentityMemory(identitiesMax);
  }

  get size(): number {
    return this.memory.size;
  }

  get isFull(): boolean {
    return this.memory.isFull;
  }

  /** Learns what others linked and erased; answers with the generation of the memory. */
  async catchUp(): Promise<IdentityGeneration> {
    for (;;) {
      const before = this.generation;
      const [answer] = await askByName<CatchUpAnswer>(this.database, catch_up, [
        before?.aliases ?? null,
      ]);
      // Another call may have come first; unless both saw the same, this one asks again.
      if (this.generation === before) this.enter(answer!);
      else if (this.generation === null || !isSameGeneration(this.generation, answer!)) continue;
      return answer!;
    }
  }

  /** The key of a developer; undefined unless every hash of theirs is remembered under it. */
  keyOf(developerHash: string | null, emailHash: string | null): bigint | undefined {
    const key = this.memory.get(developerHash ?? emailHash ?? '');
    if (key === undefined || developerHash === null || emailHash === null) return key;
    return this.memory.get(emailHash) === key ? key : undefined;
  }

  /** Remembers what one statement read, if the memory is of the generation that it saw. */
  keep(generation: IdentityGeneration, keys: ReadonlyMap<string, bigint>): void {
    if (!this.isOf(generation)) return;
    for (const [hash, key] of keys) this.memory.put(hash, key);
  }

  /** The same for a page; one that saw a link or an erasure which is news here is left out. */
  async keepPage({ identities, ...generation }: IdentityPage): Promise<void> {
    if (!this.isOf(generation)) await this.catchUp();
    if (identities !== null && this.isOf(generation)) this.memory.putPage(identities);
  }

  forget(): void {
    this.memory.clear();
    this.generation = null;
  }

  private isOf(generation: IdentityGeneration): boolean {
    return this.generation !== null && isSameGeneration(this.generation, generation);
  }

  /**
   * An alias names the last winner, so one look at those that changed tells where the hashes of
   * their keys are now. What is erased is seldom: nothing is remembered beyond it.
   */
  private enter({ erasures, aliases, moves }: CatchUpAnswer): void {
    const many = (moves?.length ?? 0) > moves_max * move_bytes;
    if (this.generation?.erasures !== erasures || many) this.memory.clear();
    else if (moves !== null) this.memory.move(toMoves(moves));
    this.generation = { erasures, aliases };
  }
}

function toMoves(moves: Buffer): ReadonlyMap<bigint, bigint> {
  const winners = new Map<bigint, bigint>();
  for (let at = 0; at < moves.length; at += move_bytes) {
    winners.set(moves.readBigUInt64BE(at), moves.readBigUInt64BE(at + 8));
  }
  return winners;
}
