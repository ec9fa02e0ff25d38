package rl

// An Option changes the policy of a [Guide]. None is needed.
type Option func(*options)

type options struct {
	makeLearner func(*Guide) learner
	once        bool
	memory      int
	patience    float32
	greed       float64
	policy      *Policy // to begin with, or nil
	readOnly    bool
}

func newOptions(opts []Option) options {
	o := options{
		makeLearner: func(g *Guide) learner { return newFactors(g) },
		once:        true,
		memory:      64 << 20,
		patience:    1,
		greed:       2,
	}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Greed sets how much likelier a choice is that seems more likely to be valid: in
// proportion to that probability to the power beta. It is 2 by default.
func Greed(beta float64) Option { return func(o *options) { o.greed = beta } }

// Patience sets how soon a prefix of choices goes stale: after about so many inputs in
// a row that were not unique and valid it is a quarter as likely. It is 1 by default.
func Patience(n float64) Option { return func(o *options) { o.patience = float32(n) } }
