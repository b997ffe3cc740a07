#include <gtest/gtest.h>

#include <algorithm>

#include "tests/corpus.h"

using namespace tongits;

Action decide(View& view);

TEST(Starter, ChoosesALegalActionEverywhere) {
  const std::vector<Sample> corpus = read_corpus();
  ASSERT_GE(corpus.size(), 500u);
  for (const Sample& sample : corpus) {
    View view = sample.view();
    const std::string chosen = format(decide(view));
    const auto& legal = view.seen.legal();
    const auto is_chosen = [&](const Action& action) { return format(action) == chosen; };
    EXPECT_TRUE(std::any_of(legal.begin(), legal.end(), is_chosen)) << sample.id << ": " << chosen;
  }
}

TEST(Starter, KeepsAMeldWhenItDiscards) {
  GameStarted game;
  DecisionRequest request;
  Observation& seen = *request.mutable_observation();
  seen.set_hand(parse_cards("2S 9C KC KD KH"));
  for (char card : seen.hand()) {
    seen.add_legal()->set_kind(ACTION_KIND_DISCARD);
    seen.mutable_legal(seen.legal_size() - 1)->set_cards(Cards(1, card));
  }
  View view(game, request);
  EXPECT_EQ(format(decide(view)), "discard 9C");
}

TEST(View, ChanceIsTheSameAgainInTheSamePosition) {
  GameStarted game;
  DecisionRequest request;
  game.set_bot_seed("12345678");
  const auto chance = View(game, request).rng()();
  EXPECT_EQ(View(game, request).rng()(), chance);
  request.mutable_observation()->set_turn(1);
  EXPECT_NE(View(game, request).rng()(), chance);
}
