package tongits

import "testing"

func cards(t *testing.T, text string) Cards {
	t.Helper()
	parsed, err := ParseCards(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestDeadwoodIsTheLeastThatCanBeLeft(t *testing.T) {
	for _, test := range []struct {
		hand  string
		runs  bool
		left  int
		melds int
	}{
		{"", true, 0, 0},
		{"AC 2C 3C", true, 0, 1},
		{"AC 2C 3C", false, 6, 0},
		{"4C 4D 4H 4S", true, 0, 1},
		{"4C 4D 4H 4S 5S 6S", true, 0, 2},
		{"4C 4D 4H 4S 5S 6S", false, 11, 1},
		{"QC KC AC", true, 21, 0},
		{"7C 7D 7H 8H 9H TH", true, 0, 2},
		{"2C 3C 4C 5C 6C 5D 5H KS", true, 16, 2},
	} {
		hand := cards(t, test.hand)
		left, melds := Deadwood(hand, test.runs), BestMelds(hand, test.runs)
		if left != test.left || len(melds) != test.melds {
			t.Errorf("%q with runs %v: %d left beside %v, want %d beside %d melds",
				test.hand, test.runs, left, melds, test.left, test.melds)
		}
		if loose := LooseCards(hand, test.runs).Points(); loose != left {
			t.Errorf("%q: loose cards are worth %d, not %d", test.hand, loose, left)
		}
	}
}

func TestMeldsInAreAllMelds(t *testing.T) {
	found := MeldsIn(cards(t, "4C 4D 4H 4S 5S 6S 7S"), true)
	if len(found) != 8 { // four sets of three, one of four, 456 4567 567
		t.Errorf("found %v", found)
	}
	for _, meld := range found {
		if !IsMeld(meld, true) {
			t.Errorf("%v is no meld", meld)
		}
	}
}

func TestWhatIsNoMeld(t *testing.T) {
	for _, text := range []string{"", "4C", "4C 4D", "4C 4C 4D", "4C 5C 6D", "QC KC AC", "4C 5C 7C"} {
		if IsMeld(cards(t, text), true) {
			t.Errorf("%q was called a meld", text)
		}
	}
	if IsMeld(cards(t, "4C 5C 6C"), false) {
		t.Error("a run was called a meld where there are none")
	}
}

func TestUnseenIsTheRestOfTheDeck(t *testing.T) {
	if left := Unseen(cards(t, "4C 5C"), cards(t, "KS 5C")); len(left) != 49 {
		t.Errorf("%d cards are left", len(left))
	}
}
