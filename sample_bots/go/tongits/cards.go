package tongits

import (
	"bytes"
	"fmt"
	"math/bits"
	"strings"
)

// Cards are card numbers, 4*rank+suit: ranks from 0 (ace, low) to 12 (king), suits clubs, diamonds,
// hearts, spades.
type Cards []byte

const (
	rankNames = "A23456789TJQK"
	suitNames = "CDHS"
)

// ParseCards reads "4H 5H KS".
func ParseCards(text string) (Cards, error) {
	var cards Cards
	for _, word := range strings.Fields(text) {
		if len(word) != 2 || !strings.Contains(rankNames, word[:1]) || !strings.Contains(suitNames, word[1:]) {
			return nil, fmt.Errorf("%q is no card: write a rank of %s and a suit of %s", word, rankNames, suitNames)
		}
		cards = append(cards, byte(4*strings.Index(rankNames, word[:1])+strings.Index(suitNames, word[1:])))
	}
	return cards, nil
}

// String gives "4H 5H KS".
func (c Cards) String() string {
	words := make([]string, len(c))
	for i, card := range c {
		words[i] = string([]byte{rankNames[card>>2], suitNames[card&3]})
	}
	return strings.Join(words, " ")
}

// Points adds up all cards, as if none were melded: an ace is 1, a jack, queen or king 10.
func (c Cards) Points() int {
	total := 0
	for _, card := range c {
		total += pointsOf(int(card))
	}
	return total
}

// Without gives the cards that are not in others.
func (c Cards) Without(others Cards) Cards {
	rest := make(Cards, 0, len(c))
	for _, card := range c {
		if bytes.IndexByte(others, card) < 0 {
			rest = append(rest, card)
		}
	}
	return rest
}

// Unseen gives the cards of the deck that are in none of these.
func Unseen(seen ...Cards) Cards {
	left := set(1<<52 - 1)
	for _, cards := range seen {
		left &^= setOf(cards)
	}
	return left.cards()
}

func pointsOf(card int) int { return min(card>>2+1, 10) }

// A set has bit 4*rank+suit for each of its cards.
type set uint64

func setOf(cards Cards) set {
	var all set
	for _, card := range cards {
		all |= 1 << card
	}
	return all
}

// cards gives the cards in card order.
func (s set) cards() Cards {
	var cards Cards
	for ; s != 0; s &= s - 1 {
		cards = append(cards, byte(s.lowest()))
	}
	return cards
}

func (s set) lowest() int { return bits.TrailingZeros64(uint64(s)) }
