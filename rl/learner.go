package rl

// A learner makes decisions and learns from the outcomes of the episodes.
type learner interface {
	// choose returns one of the slots in d.free.
	choose(p *Path, d *decision) int
	// observe records a decision that a replay or a revisit prescribed.
	observe(p *Path, d *decision, slot int)
	// mark returns how far the episode has come.
	mark() mark
	// reject records that a filter rejected what was decided since the mark.
	reject(since mark)
	// end closes the episode.
	end(outcome)
}

// mark counts what a learner has recorded in an episode.
type mark struct{ chosen, observed int32 }

// outcome is the outcome of an episode.
type outcome uint8

const (
	dropped outcome = iota // the episode does not count
	invalid
	valid // but not unique
	unique
)
