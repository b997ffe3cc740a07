#include "tongits/cards.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <sstream>
#include <stdexcept>

namespace tongits {
namespace {

const std::string RANKS = "A23456789TJQK", SUITS = "CDHS";

using Bits = std::uint64_t;  // a set of cards

Bits bit(int card) { return Bits{1} << card; }

std::size_t count(Bits cards) { return std::bitset<52>(cards).count(); }

Bits bits_of(const Cards& cards) {
  Bits bits = 0;
  for (int card : cards) bits |= bit(card);
  return bits;
}

Cards cards_of(Bits bits) {
  Cards cards;
  for (char card = 0; card < 52; ++card)
    if (bits & bit(card)) cards += card;
  return cards;
}

int lowest_of(Bits held) {
  int card = 0;
  while (!(held & bit(card))) ++card;
  return card;
}

// The melds whose lowest card is the lowest of `held`, long before short.
std::vector<Bits> melds_of_lowest(Bits held, bool runs) {
  const int lowest = lowest_of(held);
  const Bits own = bit(lowest), same = held & ~own & Bits{15} << 4 * rank(lowest);
  std::vector<Bits> melds;
  for (Bits others = same; others; others = (others - 1) & same)  // every subset
    if (count(others) >= 2) melds.push_back(own | others);
  Bits run = own;
  for (int card = lowest + 4; runs && card < 52 && held & bit(card); card += 4) {
    run |= bit(card);
    if (count(run) >= 3) melds.push_back(run);
  }
  std::stable_sort(melds.begin(), melds.end(), [](Bits a, Bits b) { return count(a) > count(b); });
  return melds;
}

struct Grouping {
  int left = 0;             // points of the cards outside the melds
  std::vector<Bits> melds;  // the last first
};

// The best grouping: the lowest card is loose, or it is the lowest of a meld.
Grouping best(Bits held, bool runs) {
  if (!held) return {};
  Grouping found = best(held & (held - 1), runs);
  found.left += points(lowest_of(held));
  for (Bits meld : melds_of_lowest(held, runs)) {
    Grouping other = best(held & ~meld, runs);
    if (other.left >= found.left) continue;
    found = std::move(other);
    found.melds.push_back(meld);
  }
  return found;
}

}  // namespace

int points(int card) { return std::min(rank(card) + 1, 10); }

int points(const Cards& cards) {
  int sum = 0;
  for (int card : cards) sum += points(card);
  return sum;
}

Cards parse_cards(const std::string& text) {
  std::istringstream words(text);
  Cards cards;
  for (std::string word; words >> word;) {
    const auto rank = RANKS.find(word[0]), suit = SUITS.find(word.size() == 2 ? word[1] : '?');
    if (rank == std::string::npos || suit == std::string::npos)
      throw std::invalid_argument("'" + word + "' is no card: write one like 7H");
    cards += static_cast<char>(4 * rank + suit);
  }
  return cards;
}

std::string format_cards(const Cards& cards) {
  std::string text;
  for (int card : cards) {
    if (!text.empty()) text += ' ';
    text += {RANKS[rank(card)], SUITS[suit(card)]};
  }
  return text;
}

Cards without(Cards cards, const Cards& others) {
  const auto is_other = [&](char card) { return others.find(card) != Cards::npos; };
  cards.erase(std::remove_if(cards.begin(), cards.end(), is_other), cards.end());
  return cards;
}

int deadwood(const Cards& hand, bool runs) { return best(bits_of(hand), runs).left; }

std::vector<Cards> best_melds(const Cards& hand, bool runs) {
  const Grouping found = best(bits_of(hand), runs);
  std::vector<Cards> melds(found.melds.size());
  std::transform(found.melds.rbegin(), found.melds.rend(), melds.begin(), cards_of);
  return melds;
}

Cards loose_cards(const Cards& hand, bool runs) {
  Cards loose = hand;
  for (const Cards& meld : best_melds(hand, runs)) loose = without(loose, meld);
  return loose;
}

std::vector<Cards> melds_in(const Cards& hand, bool runs) {
  std::vector<Cards> melds;
  for (Bits held = bits_of(hand); held; held &= held - 1)
    for (Bits meld : melds_of_lowest(held, runs)) melds.push_back(cards_of(meld));
  return melds;
}

Cards unseen(const Cards& seen) { return cards_of((bit(52) - 1) & ~bits_of(seen)); }

}  // namespace tongits
