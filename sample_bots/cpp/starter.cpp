// Your bot. Everything it does is in `decide`: change that.
#include "tongits/tongits.h"

using namespace tongits;

// Plays the first legal action, but throws away the card that leaves the least deadwood.
Action decide(View& view) {
  const Action* best = nullptr;
  int least = 0;
  for (const Action& action : view.seen.legal()) {
    if (action.kind() != ACTION_KIND_DISCARD) continue;
    const int left = deadwood(without(view.seen.hand(), action.cards()), view.runs);
    if (best && left >= least) continue;
    best = &action;
    least = left;
  }
  return best ? *best : view.seen.legal(0);
}
