package rl

import "github.com/espalier-go/espalier/internal/engine"

// A strategy is a way to make an input. Strategies are the arms of a bandit: the Guide prefers
// those whose inputs were worth much lately.
type strategy struct {
	greed    float32 // exponent of the estimated probability of a valid input
	revisits bool    // vary an input of the archive
}

var strategies = [...]strategy{{2, false}, {2, true}, {0.5, false}, {0.5, true}, {4, false},
	{4, true}}

func newBandit() *engine.Bandit {
	b := engine.NewBandit(len(strategies))
	b.Focus, b.Fixed, b.Doubt, b.Memory = 3, 0.02, 0.1, 100
	return b
}

const (
	maxReward   = 2   // the most that an input is worth to the bandit; 1 is usual
	yieldWindow = 200 // valid inputs on which the usual rarity rests
)
