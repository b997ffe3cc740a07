// Your bot: write `decide`. It gets a view of the table and answers with one of `view.legal`.
import { Kind, deadwood, isMain, serve } from "./tongits/index.js";

/** @import { Action, View } from "./tongits/index.js" */

/** @type {number[]} */
const MELDING = [Kind.TAKE, Kind.EXPOSE, Kind.LAYOFF];

/**
 * Puts down what it can, throws away the card that leaves the fewest points, and else does the
 * first thing that is legal.
 * @param {View} view
 */
export function decide(view) {
  const melding = view.legal.find((action) => MELDING.includes(action.kind));
  if (melding) return melding;
  const discards = view.legal.filter((action) => action.kind === Kind.DISCARD);
  const [first = view.legal[0], ...others] = discards;
  return others.reduce(
    (best, action) => (pointsLeft(view, action) < pointsLeft(view, best) ? action : best),
    first,
  );
}

/**
 * Points left in the hand once this card is gone.
 * @param {View} view
 * @param {Action} discard
 */
function pointsLeft(view, discard) {
  const rest = view.hand.filter((card) => card !== discard.cards[0]);
  return deadwood(rest, view.game);
}

if (isMain(import.meta.url)) serve(decide);
