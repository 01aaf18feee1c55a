const MASK = (1n << 64n) - 1n;

/** SplitMix64, a small generator with a seed of 64 bits. Not for cryptography. */
export class Random {
  constructor(private state: bigint) {}

  /** Returns a whole number from 0 to `below` - 1; `below` is at least 1 and at most 2^32. */
  below(below: number): number {
    return Number((this.next() >> 32n) % BigInt(below));
  }

  /** Returns one of the values. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  private next(): bigint {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }
}
