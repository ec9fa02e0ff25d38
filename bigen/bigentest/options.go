package bigentest

import "testing"

// An Option changes how much is tested.
type Option func(*config)

type config struct {
	runs int
	seed uint64
}

// Runs sets how many values of each origin are tested: random ones, those decoded
// from bytes, mutated ones. The default is 100. [Complete] tests 100 times as many,
// since most of them are invalid as a rule. With -short, the count is a fifth, but at
// least 1.
func Runs(n int) Option { return func(c *config) { c.runs = n } }

// Seed sets the seed of all random values. The default is 1.
func Seed(s uint64) Option { return func(c *config) { c.seed = s } }

func newConfig(opts []Option) config {
	c := config{runs: 100, seed: 1}
	for _, o := range opts {
		o(&c)
	}
	if testing.Short() {
		c.runs /= 5
	}
	c.runs = max(c.runs, 1)
	return c
}
