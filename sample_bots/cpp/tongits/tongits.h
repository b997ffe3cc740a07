// Write a Tong-its bot in C++: define `decide`, and link with the SDK's main.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "tongits/cards.h"
#include "tongits/v1/table.pb.h"

namespace tongits {

// The messages of the protocol are the values a bot works with: Action, Observation, GameStarted...
using namespace v1;

// What your seat sees at one decision.
struct View {
  View(const GameStarted& game, const DecisionRequest& request);

  const GameStarted& game;  // what stays the same: seat, dealer, rules, parameters, streaks...
  const Observation& seen;  // all there is to see: hand, discards, melds, opened, legal, events...
  bool runs;                // whether runs are melds under these rules
  std::uint64_t time_left_us;
  std::string note;         // set it to a text (UTF-8) to see it in the replay

  // Chance drawn from bot_seed and the position: the same again after a restart or elsewhere.
  std::mt19937_64 rng() const;
};

// The text of an action: "layoff 7H 0".
std::string format(const Action& action);

// Chooses one of view.seen.legal().
using Decide = std::function<Action(View&)>;

// Plays until the harness has had enough; gives the exit status.
int serve(const Decide& decide, int concurrent_games = 128);

}  // namespace tongits
