package rl

import "fmt"

// An Option changes how a [Guide] works. No option is required.
type Option func(*options)

type options struct {
	newLearner func(*Guide) learner
	memory     int     // bytes
	policy     *Policy // to start from, or nil
	readOnly   bool
	plain      bool // the learner makes all decisions: none of the three below applies

	distinct   bool // no input is made twice
	smallFirst bool // small inputs are tried until one is valid
	revisits   bool // some inputs vary one of the archive

	// Chosen by measurement. Only tests have other values.
	patience float32   // after so many invalid inputs in a row, a prefix is a quarter as likely
	forget   float32   // inputs on which an estimate rests, at most; earlier ones fade
	reach    int       // enclosing picks on which a choice may depend
	greeds   []float32 // exponents of the estimated probability of a valid input
}

func newOptions(opts []Option) options {
	o := options{
		newLearner: func(g *Guide) learner { return newFactors(g) },
		memory:     64 << 20,
		distinct:   true,
		smallFirst: true,
		revisits:   true,
		patience:   0.5,
		forget:     2000,
		reach:      8,
		greeds:     []float32{2, 0.5, 4},
	}
	for _, opt := range opts {
		opt(&o)
	}
	if o.plain {
		o.distinct, o.smallFirst, o.revisits = false, false, false
		o.greeds = o.greeds[:1]
	}
	return o
}

// Memory bounds the memory of a Guide, for a process that runs many of them. The default
// is 64 MiB. Memory panics if bytes is less than 1 MiB.
//
// Half of the memory is for the inputs made so far, a quarter for what the Guide has
// learned, and an eighth each for characteristics and for the archive. When a part is
// full, the Guide forgets what it has not used for longest, and may then make an old
// input again. The bound is approximate: the current input comes on top, and a Guide
// that is forgetting briefly holds up to half as much again.
func Memory(bytes int) Option {
	if bytes < 1<<20 {
		panic(fmt.Sprintf("rl.Memory: %d bytes are less than 1 MiB", bytes))
	}
	return func(o *options) { o.memory = bytes }
}
