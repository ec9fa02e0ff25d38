package rl

// An Option changes how a [Guide] works. No option is required.
type Option func(*options)

type options struct {
	newLearner func(*Guide) learner // nil for factors
	policy     *Policy              // to start from, or nil
	readOnly   bool
	plain      bool // the learner makes all decisions: inputs are made twice, and none is revisited
	memory     int  // bytes; only tests have other values than the default
}

// The numbers below are chosen by measurement.
const (
	// memory bounds a Guide: half is for the inputs made so far, a quarter for what it has
	// learned, and an eighth each for characteristics and for the archive. When a part is
	// full, the Guide forgets what it has not used for longest, and may then make an old
	// input again. The bound is approximate: the current input comes on top, and a Guide
	// that is forgetting briefly holds up to half as much again.
	memory = 64 << 20

	patience = 0.5  // after so many invalid inputs in a row, a prefix is a quarter as likely
	forget   = 2000 // inputs on which an estimate rests, at most; earlier ones fade
	reach    = 8    // enclosing picks on which a choice may depend
)

func newOptions(opts []Option) options {
	o := options{memory: memory}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}
