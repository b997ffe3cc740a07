package main

import (
	"slices"
	"testing"

	"tongits-bot/tongits"
	"tongits-bot/tongits/vectors"
)

func TestAnswersWithALegalAction(t *testing.T) {
	for _, observation := range vectors.Load(t) {
		action := decide(observation.View).String()
		isAction := func(legal tongits.Action) bool { return legal.String() == action }
		if !slices.ContainsFunc(observation.View.Legal, isAction) {
			t.Errorf("%s: %s is none of %v", observation.ID, action, observation.View.Legal)
		}
	}
}

func TestThrowsAwayWhatLeavesTheLeast(t *testing.T) {
	hand, _ := tongits.ParseCards("2S 9C KC KD KH")
	view := &tongits.View{Game: &tongits.Game{Runs: true}, Hand: hand}
	for i := range hand {
		view.Legal = append(view.Legal, tongits.Action{Kind: tongits.Discard, Cards: hand[i : i+1]})
	}
	if action := decide(view).String(); action != "discard 9C" {
		t.Errorf("decided to %s", action)
	}
}
