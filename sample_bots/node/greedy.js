// Puts down what it can as soon as it can, and throws away its highest loose card.
//
// It looks at its own cards only: it never calls Draw, and it contests a call when its hand is light.
import { Kind, deadwood, isMain, points, serve } from "./tongits/index.js";

/** @import { Action, View } from "./tongits/index.js" */

/** Contests a call with at most this many points in hand. */
const CHALLENGE_AT = 30;

/**
 * Takes, melds and lays off whatever is possible; else draws, discards or answers a call.
 * @param {View} view
 */
export function decide(view) {
  /** @param {number} kind */
  const legal = (kind) => view.legal.filter((action) => action.kind === kind);
  for (const kind of [Kind.TAKE, Kind.CONCEAL, Kind.EXPOSE, Kind.LAYOFF]) {
    const actions = legal(kind);
    if (actions.length) return leastBy(actions, (action) => -points(action.cards));
  }
  const discards = legal(Kind.DISCARD);
  if (discards.length) return leastBy(discards, (action) => leftAfter(view, action));
  const [challenge] = legal(Kind.CHALLENGE);
  if (!challenge) return legal(Kind.DRAW)[0];
  const isLight = deadwood(view.hand, view.game) <= CHALLENGE_AT;
  return isLight ? challenge : legal(Kind.FOLD)[0];
}

/**
 * Points left in the hand once this card is gone.
 * @param {View} view
 * @param {Action} discard
 */
function leftAfter(view, discard) {
  const rest = view.hand.filter((card) => card !== discard.cards[0]);
  return deadwood(rest, view.game);
}

/**
 * The first of the actions with the least cost.
 * @param {Action[]} actions
 * @param {(action: Action) => number} cost
 */
function leastBy(actions, cost) {
  const costs = actions.map(cost);
  return actions[costs.indexOf(Math.min(...costs))];
}

if (isMain(import.meta.url)) serve(decide);
