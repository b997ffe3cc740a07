// Cards, melds and the least deadwood of a hand. A card is one number, 4 * rank + suit, with rank 0
// the ace (always low) and suits in the order clubs, diamonds, hearts, spades; its text is "7H".
// Cards are a string with one byte a card, as in the messages of the protocol.
#pragma once

#include <string>
#include <vector>

namespace tongits {

using Cards = std::string;

inline int rank(int card) { return card / 4; }
inline int suit(int card) { return card % 4; }

// Points of a card: ace 1, two to ten their number, others 10; of cards as if none were melded.
int points(int card);
int points(const Cards& cards);

// Text to cards and back: "4H 5H". Text that is no card throws std::invalid_argument.
Cards parse_cards(const std::string& text);
std::string format_cards(const Cards& cards);

// The cards without these others.
Cards without(Cards cards, const Cards& others);

// The least points that can be left when disjoint melds are taken out of the hand, the melds that
// leave so little (of equal ones long before short), and the cards outside them.
int deadwood(const Cards& hand, bool runs = true);
std::vector<Cards> best_melds(const Cards& hand, bool runs = true);
Cards loose_cards(const Cards& hand, bool runs = true);

// Every meld that can be made of cards in the hand; they may overlap.
std::vector<Cards> melds_in(const Cards& hand, bool runs = true);

// The cards of the deck that are not among these: stock and other hands, to an observer.
Cards unseen(const Cards& seen);

}  // namespace tongits
