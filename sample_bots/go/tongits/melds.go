package tongits

import (
	"math/bits"
	"slices"
)

// IsMeld tells whether the cards are a set of 3 or 4 or, with runs, a run of 3 or more.
func IsMeld(cards Cards, runs bool) bool {
	all := setOf(cards)
	return len(cards) == bits.OnesCount64(uint64(all)) && slices.Contains(meldsIn(all, runs), all)
}

// MeldsIn gives every meld that can be made of cards of the hand; they may overlap.
func MeldsIn(hand Cards, runs bool) []Cards { return allCards(meldsIn(setOf(hand), runs)) }

// Deadwood is the least points that can be left when disjoint melds are taken out of the hand.
func Deadwood(hand Cards, runs bool) int {
	left, _ := best(setOf(hand), runs)
	return left
}

// BestMelds gives disjoint melds that leave the least deadwood; of equal ones, long before short.
func BestMelds(hand Cards, runs bool) []Cards {
	_, melds := best(setOf(hand), runs)
	return allCards(melds)
}

// LooseCards gives the cards of the hand outside BestMelds: its deadwood.
func LooseCards(hand Cards, runs bool) Cards {
	return hand.Without(slices.Concat(BestMelds(hand, runs)...))
}

func allCards(sets []set) []Cards {
	cards := make([]Cards, len(sets))
	for i, meld := range sets {
		cards[i] = meld.cards()
	}
	return cards
}

func meldsIn(held set, runs bool) []set {
	var melds []set
	for rest := held; rest != 0; rest &= rest - 1 {
		melds = append(melds, meldsFrom(rest.lowest(), held, runs)...)
	}
	return melds
}

// meldsFrom gives the melds within held whose lowest card is this one, short ones first.
func meldsFrom(lowest int, held set, runs bool) []set {
	var melds []set
	first := set(1) << lowest
	higher := held & (15 << (lowest &^ 3)) &^ (first<<1 - 1) // of the same rank
	if bits.OnesCount64(uint64(higher)) == 3 {
		for skipped := higher; skipped != 0; skipped &= skipped - 1 {
			melds = append([]set{first | higher&^(1<<skipped.lowest())}, melds...)
		}
	}
	if bits.OnesCount64(uint64(higher)) >= 2 {
		melds = append(melds, first|higher)
	}
	run := first | first<<4
	for next := first << 8; runs && held&run == run && held&next != 0; next <<= 4 {
		run |= next
		melds = append(melds, run)
	}
	return melds
}

// best gives the least points left of held, and the melds that leave them, by what becomes of its
// lowest card: left over, or in one of its melds.
func best(held set, runs bool) (int, []set) {
	if held == 0 {
		return 0, nil
	}
	lowest := held.lowest()
	least, melds := best(held&(held-1), runs)
	least += pointsOf(lowest)
	options := meldsFrom(lowest, held, runs)
	slices.SortStableFunc(options, func(a, b set) int {
		return bits.OnesCount64(uint64(b)) - bits.OnesCount64(uint64(a))
	})
	for _, meld := range options {
		if left, others := best(held&^meld, runs); left < least {
			least, melds = left, append([]set{meld}, others...)
		}
	}
	return least, melds
}
