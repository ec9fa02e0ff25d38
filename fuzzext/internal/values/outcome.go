package values

// An Outcome is what the property has done with a value.
type Outcome struct {
	Verdict
	Labels []string // valid until the next run
	Key    uint64   // a hash of what tells the value from others, as the property has said; or 0
	Scores []Score  // as Labels
}

// A Verdict on a value.
type Verdict uint8

const (
	Valid    Verdict = iota
	Invalid          // the property does not assume it
	Rejected         // the generator has not made it
	Failed           // the property fails
)

// A Score is what a run has given to a goal: a call in the code.
type Score struct {
	Site  uintptr // the call
	Value float64
}
