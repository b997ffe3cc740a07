import assert from "node:assert/strict";
import test from "node:test";
import {
  Action,
  Rng,
  bestMelds,
  deadwood,
  formatCards,
  isMeld,
  looseCards,
  meldsIn,
  parseCard,
  parseCards,
  unseen,
} from "../tongits/index.js";
import { makeGame, makeView } from "../tongits/testing.js";

/** @param {Iterable<number>[]} melds */
const texts = (melds) => melds.map(formatCards);

test("cards are numbers and texts", () => {
  assert.equal(parseCard("as"), 3);
  assert.equal(formatCards(parseCards("AC 7H TS KD")), "AC 7H TS KD");
  assert.throws(() => parseCard("1X"), /no card/);
});

test("deadwood is the least that disjoint melds can leave", () => {
  const hand = parseCards("4H 5H 6H 7H 7C 7D KS");
  assert.equal(deadwood(hand), 10);
  assert.deepEqual(texts(bestMelds(hand)), ["4H 5H 6H", "7C 7D 7H"]);
  assert.equal(formatCards(looseCards(hand)), "KS");
  assert.equal(deadwood(hand, { runs: false }), 4 + 5 + 6 + 10);
  assert.equal(deadwood([]), 0);
});

test("of equal splits, long melds come before short ones", () => {
  assert.deepEqual(texts(bestMelds(parseCards("3S 4S 5S 6S 7S 8S"))), ["3S 4S 5S 6S 7S 8S"]);
});

test("melds are sets and runs", () => {
  assert.deepEqual(texts(meldsIn(parseCards("2C 2D 2H 3H 4H"))), ["2C 2D 2H", "2H 3H 4H"]);
  assert.ok(isMeld(parseCards("KS JS QS")));
  assert.ok(!isMeld(parseCards("QS KS AS")));
  assert.ok(!isMeld(parseCards("JS QS KS"), { runs: false }));
  assert.equal(unseen(parseCards("AC"), parseCards("KS")).length, 50);
});

test("an action is what its text says", () => {
  for (const text of ["draw", "take 4H 5H 6H", "layoff 7H 2", "discard 9C", "fold"]) {
    assert.equal(String(Action.parse(text)), text);
  }
  assert.throws(() => Action.parse("sing"), /no action/);
});

test("chance comes from the seed and the position alone", () => {
  const rolls = (/** @type {number} */ seed) => {
    const game = makeGame({ botSeed: Uint8Array.of(seed) });
    const { rng } = makeView("KC KD", ["discard KC", "discard KD"], { game });
    return Array.from({ length: 5 }, () => rng.below(1000));
  };
  assert.deepEqual(rolls(1), rolls(1));
  assert.notDeepEqual(rolls(1), rolls(2));
  const counts = [0, 0, 0, 0];
  const rng = new Rng(Uint8Array.of(7));
  for (let i = 0; i < 4000; i++) counts[rng.below(4)]++;
  assert.ok(counts.every((count) => count > 900 && count < 1100));
  assert.deepEqual(rng.shuffled([1, 2, 3]).sort(), [1, 2, 3]);
});
