// Cards as the protocol numbers them: one card is `4 * rank + suit`. Ranks run from 0 (ace, always
// low) to 12 (king), suits from 0 (clubs) over diamonds and hearts to 3 (spades). Text is rank then
// suit: "7H", "TS", "AC".

export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";

/** Every card, in card order. */
export const DECK = Uint8Array.from({ length: 52 }, (_, card) => card);

/** Points by card: ace 1, two to ten their number, jack, queen and king 10. */
export const POINTS = DECK.map((card) => Math.min(rank(card) + 1, 10));

/**
 * 0 for an ace, 1 for a two, ... 12 for a king.
 * @param {number} card
 */
export function rank(card) {
  return card >> 2;
}

/**
 * 0 clubs, 1 diamonds, 2 hearts, 3 spades.
 * @param {number} card
 */
export function suit(card) {
  return card & 3;
}

/**
 * Points of these cards together, as if none of them were melded.
 * @param {Iterable<number>} cards
 */
export function points(cards) {
  let sum = 0;
  for (const card of cards) sum += POINTS[card];
  return sum;
}

/**
 * The card written as "7H"; lower case is fine.
 * @param {string} text
 */
export function parseCard(text) {
  const [, rankLetter = "", suitLetter = ""] = /^(.)(.)$/.exec(text.trim().toUpperCase()) ?? [];
  const [rank, suit] = [RANKS.indexOf(rankLetter), SUITS.indexOf(suitLetter)];
  if (!rankLetter || rank < 0 || suit < 0) {
    throw new Error(`"${text}" is no card: write a rank of ${RANKS} and a suit of ${SUITS}`);
  }
  return 4 * rank + suit;
}

/**
 * The cards written as "4H 5H 6H", in the order of the text.
 * @param {string} text
 */
export function parseCards(text) {
  return Uint8Array.from(text.split(/\s+/).filter(Boolean), parseCard);
}

/**
 * The card as text: "7H".
 * @param {number} card
 */
export function formatCard(card) {
  return RANKS[rank(card)] + SUITS[suit(card)];
}

/**
 * The cards as text: "4H 5H 6H".
 * @param {Iterable<number>} cards
 */
export function formatCards(cards) {
  return Array.from(cards, formatCard).join(" ");
}
