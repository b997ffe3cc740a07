// The words of the game as values: phases, kinds, actions. No messages here.
import { formatCards, parseCard, parseCards } from "./cards.js";

/** Where in a turn a decision falls. */
export const Phase = Object.freeze({
  /** Draw from the stock, take the discard with a meld, or call Draw. */
  START: 1,
  /** Expose, conceal, lay off; then discard. */
  ACTION: 2,
  /** Another seat called Draw: challenge or fold. */
  RESPOND: 3,
});

/** Kinds of action. */
export const Kind = Object.freeze({
  DRAW: 1,
  TAKE: 2,
  EXPOSE: 3,
  CONCEAL: 4,
  LAYOFF: 5,
  DISCARD: 6,
  CALL: 7,
  CHALLENGE: 8,
  FOLD: 9,
});

/** Kinds of event. */
export const EventKind = Object.freeze({
  DREW: 1,
  TOOK: 2,
  EXPOSED: 3,
  CONCEALED: 4,
  LAID_OFF: 5,
  DISCARDED: 6,
  CALLED: 7,
  CHALLENGED: 8,
  FOLDED: 9,
});

/** Names of the ways a game can end, by their number. */
export const TERMINATIONS = Object.freeze([
  "unspecified",
  "tongits",
  "draw_uncontested",
  "draw_contested",
  "stock_out",
  "void",
]);

/** @type {Map<number, string>} */
const WORDS = new Map(Object.entries(Kind).map(([name, kind]) => [kind, name.toLowerCase()]));

/** One thing a seat can do. `String(action)` is the text that `tongits referee` reads. */
export class Action {
  /**
   * @param {number} kind one of `Kind`
   * @param {Uint8Array} [cards] TAKE, EXPOSE, CONCEAL: the whole meld. LAYOFF, DISCARD: one card.
   * @param {number} [meld] LAYOFF: the number of the meld.
   */
  constructor(kind, cards = new Uint8Array(), meld = 0) {
    this.kind = kind;
    this.cards = cards;
    this.meld = meld;
  }

  toString() {
    const words = [WORDS.get(this.kind), formatCards(this.cards)];
    if (this.kind === Kind.LAYOFF) words.push(String(this.meld));
    return words.join(" ").trimEnd();
  }

  /**
   * The action written as "draw", "take 4H 5H 6H", "layoff 7H 0", "discard 9C", ...
   * @param {string} text
   */
  static parse(text) {
    const [word = "", ...rest] = text.trim().split(/\s+/);
    const [kind] = [...WORDS].find(([, name]) => name === word.toLowerCase()) ?? [];
    if (!kind) throw new Error(`"${text}" is no action: it starts with ${[...WORDS.values()]}`);
    if (kind === Kind.LAYOFF) {
      return new Action(kind, Uint8Array.of(parseCard(rest[0] ?? "")), Number(rest[1]));
    }
    return new Action(kind, parseCards(rest.join(" ")).sort());
  }
}
