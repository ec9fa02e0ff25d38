package choices

// A Source answers the questions of a generator that runs forward. A source may
// be wrong, never harmful: the generator brings an answer out of range back into
// it, as [Kind.Clamp] and [Question.FitText] do. A source is used by one run at a time.
type Source interface {
	// Pick returns the index of an alternative. It is also told of picks of one
	// alternative. Every Pick is followed by a Leave, and what is asked between
	// the two is asked by the branch that was picked.
	Pick(q *Question) int
	Leave()

	// Int returns an integer from q.Lo to q.Hi; if q.Kind is Uint, the bits of one.
	Int(q *Question) int64

	// Text returns a string of q.Min to q.Max runes of q.Alphabet.
	Text(q *Question) string
}

// A Rejecter is a source that is told of values thrown away by filters.
type Rejecter interface {
	Source

	// Reject is called when a filter, or what else throws values away, has
	// rejected one and is about to draw another. It reports whether the run should
	// be rejected instead.
	Reject() bool
}
