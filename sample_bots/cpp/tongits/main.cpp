// The main of every bot: plays with the `decide` that the bot's own file defines.
#include "tongits/tongits.h"

tongits::Action decide(tongits::View& view);

int main() { return tongits::serve(decide); }
