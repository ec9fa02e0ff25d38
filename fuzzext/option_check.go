package fuzzext

import "fmt"

// Checks makes [Check] run its property on n valid random values instead of 1000, however long
// that takes. With -short, it is a tenth of them, at least one. The flag -fuzzext.checks
// overrides it. Checks panics unless n is at least 1.
func Checks(n int) Option {
	if n < 1 {
		panic(fmt.Sprintf("fuzzext.Checks(%d): want at least 1", n))
	}
	return func(o *options) { o.checks = n }
}

// Seed makes the random values of [Check] the same in each run, for a test that must not vary.
// The flag -fuzzext.seed overrides it. Zero selects different values in each run, as without
// Seed.
func Seed(seed uint64) Option {
	return func(o *options) { o.seed = seed }
}
