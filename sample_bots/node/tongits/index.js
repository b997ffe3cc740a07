// Write a Tong-its bot in JavaScript or TypeScript.
//
//     import { isMain, serve } from "./tongits/index.js";
//
//     export const decide = (view) => view.rng.choice(view.legal);
//
//     if (isMain(import.meta.url)) serve(decide);
//
// `serve` plays with a function, `serveGames` with a class that remembers. `./tongits/testing.js`
// makes a View for your tests.
export {
  DECK,
  POINTS,
  formatCard,
  formatCards,
  parseCard,
  parseCards,
  points,
  rank,
  suit,
} from "./cards.js";
export { bestMelds, deadwood, isMeld, looseCards, meldsIn, unseen } from "./melds.js";
export { GameBot, isMain, serve, serveGames } from "./play.js";
export { Rng } from "./rng.js";
export { Action, EventKind, Kind, Phase } from "./values.js";
export { Game, View } from "./view.js";

/** @typedef {import("./view.js").GameEvent} GameEvent */
/** @typedef {import("./view.js").Meld} Meld */
/** @typedef {import("./view.js").Result} Result */
