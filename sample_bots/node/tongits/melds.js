// Melds within a hand and the least deadwood it can be left with. Pure functions of the cards.
import { DECK, POINTS, rank } from "./cards.js";

/** @typedef {Iterable<number>} Cards */
/** @typedef {{ runs?: boolean }} Rules `runs: false` under rules without runs, such as sa-tong. */
/** @typedef {{ left: number, meld?: number[], others?: Split }} Split A list of melds, linked. */

/**
 * True if the cards, in any order, are a set of 3 or 4 or (with `runs`) a run of 3 or more.
 * @param {Cards} cards
 * @param {Rules} [rules]
 */
export function isMeld(cards, { runs = true } = {}) {
  const ordered = [...cards].sort((a, b) => a - b);
  if (ordered.length < 3) return false;
  const isRun = runs && ordered.every((card, i) => card === ordered[0] + 4 * i);
  const isDistinct = new Set(ordered).size === ordered.length;
  return isRun || (isDistinct && ordered.every((card) => rank(card) === rank(ordered[0])));
}

/**
 * Every meld that can be made of cards in the hand, each in card order; they may overlap.
 * @param {Cards} hand
 * @param {Rules} [rules]
 */
export function meldsIn(hand, { runs = true } = {}) {
  const held = heldIn(hand);
  return [...DECK].filter((card) => held[card]).flatMap((card) => meldsFrom(card, held, runs));
}

/**
 * The least points that can be left when disjoint melds are taken out of the hand.
 * @param {Cards} hand
 * @param {Rules} [rules]
 */
export function deadwood(hand, { runs = true } = {}) {
  return bestSplit(heldIn(hand), 0, runs).left;
}

/**
 * Disjoint melds that leave the least deadwood; of equal ones, long melds before short.
 * @param {Cards} hand
 * @param {Rules} [rules]
 */
export function bestMelds(hand, { runs = true } = {}) {
  const melds = [];
  /** @type {Split | undefined} */
  let split = bestSplit(heldIn(hand), 0, runs);
  for (; split?.meld; split = split.others) melds.push(split.meld);
  return melds;
}

/**
 * The cards of the hand outside `bestMelds`: its deadwood, in card order.
 * @param {Cards} hand
 * @param {Rules} [rules]
 */
export function looseCards(hand, rules) {
  const melded = new Set(bestMelds(hand, rules).flat());
  return [...hand].filter((card) => !melded.has(card)).sort((a, b) => a - b);
}

/**
 * The cards of the deck that are in none of these: stock and other hands, to an observer.
 * @param {Cards[]} seen
 */
export function unseen(...seen) {
  const known = new Set(seen.flatMap((cards) => [...cards]));
  return [...DECK].filter((card) => !known.has(card));
}

/**
 * Which cards are held, by card; beyond the deck there is room for the end of a run.
 * @param {Cards} cards
 */
function heldIn(cards) {
  const held = new Uint8Array(60);
  for (const card of cards) held[card] = 1;
  return held;
}

/**
 * Melds of held cards whose lowest is `lowest`: sets of three, the set of four, then runs.
 * @param {number} lowest
 * @param {Uint8Array} held
 * @param {boolean} runs
 */
function meldsFrom(lowest, held, runs) {
  /** @type {number[][]} */
  const found = [];
  const same = [];
  for (let card = lowest + 1; card <= (lowest | 3); card++) if (held[card]) same.push(card);
  for (let i = 0; i < same.length; i++) {
    for (let j = i + 1; j < same.length; j++) found.push([lowest, same[i], same[j]]);
  }
  if (same.length === 3) found.push([lowest, ...same]);
  if (!runs) return found;
  for (let run = [lowest], card = lowest + 4; held[card]; card += 4) {
    run = [...run, card];
    if (run.length >= 3) found.push(run);
  }
  return found;
}

/** @type {Split} */
const NOTHING = { left: 0 };

/**
 * The best split of the held cards from `card` on, by trying what the lowest of them can be.
 * @param {Uint8Array} held left as it was
 * @param {number} card
 * @param {boolean} runs
 * @returns {Split}
 */
function bestSplit(held, card, runs) {
  let lowest = card;
  while (lowest < 52 && !held[lowest]) lowest++;
  if (lowest === 52) return NOTHING;
  const rest = bestSplit(held, lowest + 1, runs);
  let best = { ...rest, left: rest.left + POINTS[lowest] };
  for (const meld of longFirst(meldsFrom(lowest, held, runs))) {
    for (const used of meld) held[used] = 0;
    const others = bestSplit(held, lowest + 1, runs);
    for (const used of meld) held[used] = 1;
    if (others.left < best.left) best = { left: others.left, meld, others };
  }
  return best;
}

/** @param {number[][]} melds */
function longFirst(melds) {
  return melds.length > 1 ? melds.sort((a, b) => b.length - a.length) : melds;
}
