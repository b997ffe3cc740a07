#include <cctype>

#include "tongits/tongits.h"

namespace tongits {
namespace {

bool has_runs(const GameStarted& game) {
  const auto value = game.parameters().find("meld.runs");
  return value == game.parameters().end() || value->second != "false";
}

}  // namespace

View::View(const GameStarted& game, const DecisionRequest& request)
    : game(game),
      seen(request.observation()),
      runs(has_runs(game)),
      time_left_us(request.time_left_us()) {}

std::mt19937_64 View::rng() const {
  const std::string where = game.bot_seed() + static_cast<char>(seen.turn()) +
                            static_cast<char>(seen.phase()) + seen.hand();
  std::seed_seq seed(where.begin(), where.end());
  return std::mt19937_64(seed);
}

std::string format(const Action& action) {
  std::string text = ActionKind_Name(action.kind()).substr(sizeof "ACTION_KIND_" - 1);
  for (char& letter : text) letter = static_cast<char>(std::tolower(letter));
  if (!action.cards().empty()) text += " " + format_cards(action.cards());
  if (action.kind() == ACTION_KIND_LAYOFF) text += " " + std::to_string(action.meld());
  return text;
}

}  // namespace tongits
