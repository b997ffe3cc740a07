// Your bot: write decide, the rest is done.
package main

import "tongits-bot/tongits"

// decide chooses one of view.Legal. This one melds whenever it can, draws, and throws away the card
// that leaves the least points in its hand.
func decide(view *tongits.View) tongits.Action {
	best, least := view.Legal[0], 1000
	for _, action := range view.Legal {
		switch action.Kind {
		case tongits.Expose, tongits.Take, tongits.Layoff:
			return action
		case tongits.Discard:
			rest := view.Hand.Without(action.Cards)
			if left := tongits.Deadwood(rest, view.Game.Runs); left < least {
				best, least = action, left
			}
		}
	}
	return best
}

func main() { tongits.Serve(decide) }
