package rl

// An Option changes how a [Guide] works. No option is required.
type Option func(*options)

type options struct {
	newLearner func(*Guide) learner // nil for factors
	policy     *Policy              // to start from, or nil
	readOnly   bool
	plain      bool // the learner makes all decisions: inputs may be made twice, and none is revisited
	memory     int  // bytes; only tests have other values than the default
}

// These numbers were chosen by measurement.
const (
	// memory bounds a Guide: half is for the inputs made so far, a quarter for what it has
	// learned, and an eighth each for characteristics and for the archive. When a part is
	// full, the Guide forgets what it has not used for the longest time, and may then make
	// an old input again. The bound is approximate: the current input is not included, and
	// while it forgets, a Guide holds up to half as much again.
	memory = 64 << 20

	patience = 0.5  // after this many invalid inputs in a row, a prefix is a quarter as likely
	forget   = 2000 // the most inputs on which an estimate rests; earlier ones fade
	reach    = 8    // enclosing picks on which a choice may depend
)

func newOptions(opts []Option) options {
	o := options{memory: memory}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}
