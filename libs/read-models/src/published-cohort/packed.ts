export interface Packing<Item> {
  readonly weightOf: (item: Item) => number;
  /** Of all items of a pack together; a heavier item gets a pack of its own. */
  readonly weightMax: number;
  readonly countMax: number;
}

/** The items in their order, cut into packs that are neither too heavy nor too many. */
export function packed<Item>(
  items: readonly Item[],
  { weightOf, weightMax, countMax }: Packing<Item>,
): Item[][] {
  const packs: Item[][] = [];
  let weight = 0;
  for (const item of items) {
    const pack = packs.at(-1);
    const itemWeight = weightOf(item);
    if (pack === undefined || pack.length >= countMax || weight + itemWeight > weightMax) {
      packs.push([item]);
      weight = itemWeight;
    } else {
      pack.push(item);
      weight += itemWeight;
    }
  }
  return packs;
}
