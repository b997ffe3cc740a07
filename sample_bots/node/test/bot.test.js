import assert from "node:assert/strict";
import test from "node:test";
import { decide } from "../bot.js";
import { Phase } from "../tongits/index.js";
import { makeView, readCorpus } from "../tongits/testing.js";

test("the bot throws away the card that leaves the fewest points", () => {
  const view = makeView("KC KD KH 9C 2S", ["discard 2S", "discard 9C", "discard KC"]);
  assert.equal(String(decide(view)), "discard 9C");
});

test("the bot puts a meld down before it throws anything away", () => {
  const view = makeView("KC KD KH 9C", ["expose KC KD KH", "discard 9C"]);
  assert.equal(String(decide(view)), "expose KC KD KH");
});

test("the bot draws at the start of its turn", () => {
  const view = makeView("KC KD KH 9C 2S", ["draw", "call"], { phase: Phase.START });
  assert.equal(String(decide(view)), "draw");
});

test("the bot answers every observation with something legal", () => {
  for (const { id, view } of readCorpus()) assert.ok(view.legal.includes(decide(view)), id);
});
