package main

import (
	"testing"

	"tongits-bot/tongits/vectors"
)

func TestAnswersAsGreedyDoesInEveryLanguage(t *testing.T) {
	observations := vectors.Load(t)
	if len(observations) < 500 {
		t.Errorf("only %d observations", len(observations))
	}
	for _, observation := range observations {
		if action := decide(observation.View).String(); action != observation.Greedy {
			t.Errorf("%s: %s, want %s", observation.ID, action, observation.Greedy)
		}
	}
}
