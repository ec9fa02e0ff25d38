package choices

// A Source answers the questions of a generator that runs forward. Wrong answers do no
// harm: the generator replaces one out of range as [Kind.Clamp] and [Question.FitText] do.
// A source serves one run at a time.
type Source interface {
	// Pick returns the index of an alternative. Generators also call it for picks of one
	// alternative. A Leave follows every Pick. The branch that was picked asks the
	// questions between the two.
	Pick(q *Question) int
	Leave()

	// Int returns an integer from q.Lo to q.Hi, or its bits if q.Kind is Uint.
	Int(q *Question) int64

	// Text returns a string of q.Min to q.Max runes of q.Alphabet.
	Text(q *Question) string
}

// A LeafPicker is a source that is told which picks ask nothing below. PickLeaf is Pick and
// Leave in one.
type LeafPicker interface {
	Source
	PickLeaf(q *Question) int
}

// A Rejecter is a source that learns which values filters throw away.
type Rejecter interface {
	Source

	// Generators call Reject when a filter, or a collection of distinct elements, has
	// thrown away a value and is about to draw another. It reports whether to reject the
	// whole run instead.
	Reject() bool
}
