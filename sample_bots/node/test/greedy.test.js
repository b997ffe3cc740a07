import assert from "node:assert/strict";
import test from "node:test";
import { decide } from "../greedy.js";
import { Phase } from "../tongits/index.js";
import { makeGame, makeView, readCorpus } from "../tongits/testing.js";

test("greedy answers every observation of the corpus as in all other languages", () => {
  const corpus = readCorpus();
  assert.ok(corpus.length >= 500);
  const differing = corpus
    .map(({ id, view, greedy }) => ({ id, expected: greedy, decided: String(decide(view)) }))
    .filter(({ expected, decided }) => expected !== decided);
  assert.deepEqual(differing, []);
});

test("greedy puts down the meld that is worth most", () => {
  const legal = ["expose 2C 2D 2H", "expose TC JC QC", "discard 2C", "discard KS"];
  assert.equal(String(decide(makeView("2C 2D 2H TC JC QC KS", legal))), "expose TC JC QC");
});

test("greedy contests a call with a light hand only", () => {
  const respond = { phase: Phase.RESPOND, caller: 1 };
  const legal = ["challenge", "fold"];
  assert.equal(String(decide(makeView("TC JD QH", legal, respond))), "challenge");
  assert.equal(String(decide(makeView("TC JD QH AS", legal, respond))), "fold");
  assert.equal(String(decide(makeView("TC JC QC AS 9C", legal, respond))), "challenge");
  const game = makeGame({ rules: "sa-tong", parameters: { "meld.runs": false } });
  assert.equal(String(decide(makeView("TC JC QC AS", legal, { ...respond, game }))), "fold");
});
