// Puts down what it can as soon as it can, and throws away its highest loose card. It looks at its
// own cards only: it never calls Draw, and it contests a call when its hand is light.
#include "tongits/tongits.h"

using namespace tongits;

namespace {

constexpr int CHALLENGE_AT = 30;  // contests a call with at most this many points in hand

// How much greedy likes an action; of equal ones it takes the first.
int worth(const Action& action, const View& view) {
  const Cards& hand = view.seen.hand();
  switch (action.kind()) {
    case ACTION_KIND_TAKE:
      return 9000 + points(action.cards());
    case ACTION_KIND_CONCEAL:
      return 8000 + points(action.cards());
    case ACTION_KIND_EXPOSE:
      return 7000 + points(action.cards());
    case ACTION_KIND_LAYOFF:
      return 6000 + points(action.cards());
    case ACTION_KIND_DISCARD:
      return 5000 - deadwood(without(hand, action.cards()), view.runs);
    case ACTION_KIND_CHALLENGE:
      return deadwood(hand, view.runs) <= CHALLENGE_AT ? 4000 : 2000;
    case ACTION_KIND_FOLD:
      return 3000;
    case ACTION_KIND_DRAW:
      return 1000;
    default:  // never calls Draw
      return 0;
  }
}

}  // namespace

Action decide(View& view) {
  const Action* best = &view.seen.legal(0);
  int most = -1;
  for (const Action& action : view.seen.legal()) {
    const int value = worth(action, view);
    if (value <= most) continue;
    best = &action;
    most = value;
  }
  return *best;
}
