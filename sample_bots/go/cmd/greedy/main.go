// Greedy puts down what it can as soon as it can, and throws away its highest loose card.
//
// It looks at its own cards only: it never calls Draw, and it contests a call when its hand is
// light.
package main

import "tongits-bot/tongits"

// challengeAt is the most points in hand it contests a call with.
const challengeAt = 30

// decide takes, melds and lays off whatever is possible; else draws, discards or answers a call.
func decide(view *tongits.View) tongits.Action {
	byKind := map[tongits.Kind][]tongits.Action{}
	for _, action := range view.Legal {
		byKind[action.Kind] = append(byKind[action.Kind], action)
	}
	for _, kind := range []tongits.Kind{tongits.Take, tongits.Conceal, tongits.Expose, tongits.Layoff} {
		if actions := byKind[kind]; actions != nil {
			return first(actions, func(action tongits.Action) int { return -action.Cards.Points() })
		}
	}
	if actions := byKind[tongits.Discard]; actions != nil {
		return first(actions, func(action tongits.Action) int {
			return tongits.Deadwood(view.Hand.Without(action.Cards), view.Game.Runs)
		})
	}
	if actions := byKind[tongits.Challenge]; actions != nil {
		if tongits.Deadwood(view.Hand, view.Game.Runs) <= challengeAt {
			return actions[0]
		}
		return byKind[tongits.Fold][0]
	}
	return byKind[tongits.Draw][0]
}

// first gives the first of the actions with the smallest cost.
func first(actions []tongits.Action, cost func(tongits.Action) int) tongits.Action {
	best, least := actions[0], cost(actions[0])
	for _, action := range actions[1:] {
		if c := cost(action); c < least {
			best, least = action, c
		}
	}
	return best
}

func main() { tongits.Serve(decide) }
