import type { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import type { DeveloperHashes, IdentityRegistry } from '#postgres/identities/identity-registry.js';
import type { ReceivedEvent } from './decode-received.js';

export interface IdentifiedEvent {
  readonly event: ReceivedEvent;
  readonly devKey: string;
}

/**
 * The events with the keys of their developers, but for those of erased developers.
 * @throws Error when somebody was erased while the keys were looked up: the batch, when it comes
 * again, is judged with what is known then. So no key is given that was erased before this
 * returns, and none to an event that was.
 *
 * That the registry remembers keys changes none of this. It asks between the two readings of the
 * ledger whether somebody was erased, and forgets everything if so: what it gives from memory was
 * in the table at that moment, as if it had been looked up then. What comes later, the second
 * reading sees. An erased key that it remembers because a hash was attached late goes from table
 * and memory at once, so the batch finds none of it when it comes again.
 */
export async function identifyDevelopers(
  registry: IdentityRegistry,
  erasures: ErasureLedger,
  events: readonly ReceivedEvent[],
): Promise<readonly IdentifiedEvent[]> {
  await erasures.refresh();
  const kept = events.filter((event) => !erasures.covers(hashesOf(event), event.claim.receivedAt));
  const devKeys = await registry.resolve(kept.map(hashesOf));
  const changed = await erasures.refresh();
  // A clerk that stood still during an erasure may have attached another hash to the erased key.
  const erased = [...new Set(devKeys.filter((devKey) => erasures.hasKey(devKey)))];
  if (erased.length > 0) await registry.forget(erased);
  if (changed || erased.length > 0) {
    throw new Error('Developers were erased meanwhile; the batch is judged again.');
  }
  return kept.map((event, index) => ({ event, devKey: devKeys[index]! }));
}

function hashesOf({ message: { event } }: ReceivedEvent): DeveloperHashes {
  return { developerHash: event.developer_id ?? null, emailHash: event.email ?? null };
}
