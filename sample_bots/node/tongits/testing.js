// Make a View out of text, and read the shared observations, for the unit tests of a bot.
import { existsSync, readFileSync } from "node:fs";
import { parseCards } from "./cards.js";
import { DecisionRequest, GameStarted, Observation } from "./table.js";
import { Action, Phase } from "./values.js";
import { Game, View } from "./view.js";

/** @import * as wire from "./table.js" */

/**
 * A game as `GameStarted` tells it; parameters by their dotted name.
 * @param {{ rules?: string, parameters?: Record<string, unknown>, seat?: number,
 *   botSeed?: Uint8Array }} [options]
 */
export function makeGame({ rules = "tongits-lite", parameters = {}, seat = 0, botSeed } = {}) {
  const values = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]);
  const message = {
    gameId: "test",
    rules,
    parameters: Object.fromEntries(values),
    seat,
    botSeed: botSeed ?? new Uint8Array(8),
    pot: 6,
    streaks: [0, 0, 0],
  };
  return new Game(GameStarted.decode(GameStarted.encode(message).finish()));
}

/**
 * The view of `game.seat`.
 * @param {string} hand "4H 5H 6H KS", in any order
 * @param {string[]} legal texts of the actions to choose from, for instance "discard KS"
 * @param {object} [options]
 * @param {Game} [options.game] what `makeGame` gave; else a game of tongits-lite at seat 0
 * @param {number} [options.phase]
 * @param {number} [options.turn]
 * @param {string} [options.discards] the pile, oldest first
 * @param {string[]} [options.melds] owner and cards, "1: 7C 7D 7H", in order of exposure
 * @param {number[]} [options.handSizes] by seat; else 12, and as many as you hold
 * @param {number} [options.stockSize]
 * @param {number | null} [options.caller] in RESPOND, who called
 */
export function makeView(hand, legal, options = {}) {
  const { game = makeGame(), phase = Phase.ACTION, turn = 3, discards = "" } = options;
  const cards = parseCards(hand).sort();
  const melds = (options.melds ?? []).map(meldOf);
  const sizes = [0, 1, 2].map((seat) => (seat === game.seat ? cards.length : 12));
  const message = {
    seat: game.seat,
    phase,
    turn,
    hand: cards,
    handSizes: options.handSizes ?? sizes,
    opened: [0, 1, 2].map((seat) => melds.some(({ owner }) => owner === seat)),
    callBlocked: [false, false, false],
    stockSize: options.stockSize ?? 10,
    discards: parseCards(discards),
    melds,
    caller: options.caller ?? null,
    legal: legal.map(Action.parse),
  };
  return new View(Observation.decode(Observation.encode(message).finish()), game);
}

/**
 * The observations that every kit is tested with, and what greedy answers to them: `corpus.jsonl`
 * beside package.json, or that of the checkout.
 * @returns {{ id: string, view: View, greedy: string }[]}
 */
export function readCorpus() {
  const places = ["../corpus.jsonl", "../../corpus/observations.jsonl"];
  const urls = places.map((place) => new URL(place, import.meta.url));
  const url = urls.find((one) => existsSync(one));
  if (!url) throw new Error(`no corpus of observations at ${urls.join(" or ")}`);
  return readFileSync(url, "utf8").trim().split("\n").map(caseOf);
}

/** @param {string} line */
function caseOf(line) {
  const { id, started, request, greedy } = JSON.parse(line);
  const game = new Game(GameStarted.decode(Buffer.from(started, "base64")));
  const { observation, timeLeftUs } = DecisionRequest.decode(Buffer.from(request, "base64"));
  const view = new View(/** @type {wire.Observation} */ (observation), game, timeLeftUs);
  return { id, view, greedy };
}

/** @param {string} text */
function meldOf(text) {
  const [owner = "", cards = ""] = text.split(":");
  const held = parseCards(cards).sort();
  return { owner: Number(owner), cards: held, faceDown: false, size: held.length };
}
