#include <gtest/gtest.h>

#include "tests/corpus.h"

tongits::Action decide(tongits::View& view);

TEST(Greedy, AnswersTheWholeCorpusAsInEveryLanguage) {
  const std::vector<Sample> corpus = read_corpus();
  ASSERT_GE(corpus.size(), 500u);
  for (const Sample& sample : corpus) {
    tongits::View view = sample.view();
    EXPECT_EQ(tongits::format(decide(view)), sample.greedy) << sample.id;
  }
}

TEST(Cards, TheLeastDeadwoodIsFound) {
  using namespace tongits;
  EXPECT_EQ(deadwood(parse_cards("KC KD KH 9C 2S")), 11);
  EXPECT_EQ(deadwood(parse_cards("4H 5H 6C 6D 6H 7H")), 12);
  EXPECT_EQ(deadwood(parse_cards("4H 5H 6C 6D 6H 7H"), false), 16);
  EXPECT_EQ(deadwood(parse_cards("4H 5H 6C 6D 6H 6S")), 0);
  EXPECT_EQ(format_cards(loose_cards(parse_cards("2S 9C KC KD KH"))), "2S 9C");
  EXPECT_EQ(best_melds(parse_cards("4H 5H 6H 7H")).size(), 1u);
  EXPECT_EQ(melds_in(parse_cards("4H 5H 6H 7H")).size(), 3u);
  EXPECT_EQ(unseen(parse_cards("AC")).size(), 51u);
}

TEST(Cards, TextsAreReadAndWritten) {
  using namespace tongits;
  EXPECT_EQ(format_cards(parse_cards("AC TD KS")), "AC TD KS");
  EXPECT_THROW(parse_cards("1H"), std::invalid_argument);
  EXPECT_THROW(parse_cards("7"), std::invalid_argument);
}
