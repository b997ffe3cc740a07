// Chance that is the same on every machine: small generators seeded with bytes.
import { createHash } from "node:crypto";

/** Random numbers (sfc32, seeded with SHA-256 of the bytes it is given). Not for secrets. */
export class Rng {
  #state;

  /** @param {Uint8Array} seed */
  constructor(seed) {
    const digest = createHash("sha256").update(seed).digest();
    this.#state = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at));
  }

  /** A whole number from 0 to 2 ** 32 - 1. */
  next() {
    const state = this.#state;
    const sum = (state[0] + state[1] + state[3]) >>> 0;
    state[3] += 1;
    state[0] = state[1] ^ (state[1] >>> 9);
    state[1] = state[2] + (state[2] << 3);
    state[2] = ((state[2] << 21) | (state[2] >>> 11)) + sum;
    return sum;
  }

  /** A number from 0 up to, but not, 1. */
  random() {
    return this.next() / 2 ** 32;
  }

  /**
   * A whole number from 0 to `limit` - 1.
   * @param {number} limit
   */
  below(limit) {
    return Math.floor(this.random() * limit);
  }

  /**
   * One of the items.
   * @template T
   * @param {readonly T[]} items
   */
  choice(items) {
    return items[this.below(items.length)];
  }

  /**
   * The items in a new order.
   * @template T
   * @param {Iterable<T>} items
   */
  shuffled(items) {
    const mixed = [...items];
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
    }
    return mixed;
  }
}
