package rl

import "fmt"

// An Option changes the policy of a [Guide]. None is needed.
type Option func(*options)

type options struct {
	makeLearner func(*Guide) learner
	once        bool // no input is made twice
	needsLuck   bool // until there is a valid input, small ones are tried
	returns     bool
	memory      int // bytes
	patience    float32
	forget      float32
	reach       int
	greeds      []float32
	policy      *Policy // to begin with, or nil
	readOnly    bool
	alone       bool // the learner decides everything, whatever other options say
}

func newOptions(opts []Option) options {
	o := options{
		makeLearner: func(g *Guide) learner { return newFactors(g) },
		once:        true,
		needsLuck:   true,
		returns:     true,
		memory:      64 << 20,
		patience:    0.5,
		forget:      2000,
		reach:       8,
		greeds:      []float32{2, 0.5, 4},
	}
	for _, opt := range opts {
		opt(&o)
	}
	if o.alone {
		o.once, o.needsLuck, o.returns = false, false, false
		o.greeds = o.greeds[:1]
	}
	return o
}

// Memory bounds, roughly, the bytes that the Guide holds: half for the inputs that it has
// made, a quarter for what it has learned, an eighth each for the characteristics it
// has seen and for the inputs to return to. What has not come up for longest is
// forgotten; an input may then be made again. What one input takes comes on top, and
// while the Guide forgets, for a moment, up to half as much again. It is 64 MiB by default. Memory panics if
// it is less than 1 MiB.
func Memory(bytes int) Option {
	if bytes < 1<<20 {
		panic(fmt.Sprintf("rl.Memory: %d bytes are less than 1 MiB", bytes))
	}
	return func(o *options) { o.memory = bytes }
}

// Repeats lets inputs be made more than once, and does without the memory of them.
func Repeats() Option { return func(o *options) { o.once = false } }

// Patience sets how soon prefixes of choices go stale that have stopped to give
// valid inputs: after n invalid ones in a row, one is a quarter as likely. It is 0.5
// by default. Patience panics unless n is from 0 to 1e9.
func Patience(n float64) Option {
	if !(n >= 0 && n <= 1e9) {
		panic(fmt.Sprintf("rl.Patience: %v is not from 0 to 1e9", n))
	}
	return func(o *options) { o.patience = float32(n) }
}

// Greed sets how much likelier a choice is that seems more likely to be valid: in
// proportion to that probability to the power of one of betas, in each input of the one
// that has come to most unique valid inputs lately. By default these are 2, 0.5 and
// 4. Greed panics if there is none, or one is not from 0 to 1000.
func Greed(betas ...float64) Option {
	greeds := make([]float32, len(betas))
	for i, b := range betas {
		if !(b >= 0 && b <= 1000) {
			panic(fmt.Sprintf("rl.Greed: %v is not from 0 to 1000", b))
		}
		greeds[i] = float32(b)
	}
	if len(greeds) == 0 {
		panic("rl.Greed: no beta")
	}
	return func(o *options) { o.greeds = greeds }
}

// Forget sets of how many inputs estimates are, at most: what came before fades. It is
// 2000 by default. Forget panics unless n is above 5.
func Forget(n float64) Option {
	if !(n > validWeight) {
		panic(fmt.Sprintf("rl.Forget: %v is not above %v", n, validWeight))
	}
	return func(o *options) { o.forget = float32(n) }
}

// Reach sets how many of the picks around a choice it may depend on. It is 8 by default.
// Reach panics if n is negative.
func Reach(n int) Option {
	if n < 0 {
		panic(fmt.Sprintf("rl.Reach: %d is negative", n))
	}
	return func(o *options) { o.reach = n }
}

// Returns sets whether inputs are also made by returning to valid ones: by repeating one
// but for a part. It is true by default.
func Returns(on bool) Option { return func(o *options) { o.returns = on } }
