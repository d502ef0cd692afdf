/** Random choices that a seed repeats exactly. */

export interface Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  /** True in one of `times` cases. */
  oneIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the items, each as often as its weight says. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
}

/** Choices from `seed`, a whole number. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  /** 32 random bits: a Weyl sequence whose steps are mixed. */
  const bits = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (end: number) => Math.floor(bits() / 2 ** 32 * end);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (items) => items[below(items.length)]!,
    weighted(items) {
      let left = below(items.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, item] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      throw new RangeError("expected at least one item with a weight above 0");
    },
  };
}
