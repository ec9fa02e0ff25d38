package treetargets

// An Order says what values to run.
type Order struct {
	Target string
	// How is [ByCheck], or one of [Naive], [Uniform] and [Tuned], whose values have at most so many
	// levels.
	How    string
	Levels int
	Rounds int // of the search for [Tuned]
	Seed   uint64
	Bytes  int    // of all values together, at least
	Values int    // instead, if it is not 0
	Answer string // the file for a [Covered], as JSON
}

const (
	ByCheck = "Check's values" // as a Check makes them
	Naive   = "equal weights"  // of the alternatives of each pick
	Uniform = "uniform"        // weights that make the counts of the constructors as near alike as can be
	Tuned   = "tuned to cover" // by another seed
)

// Covered says what an order has come to.
type Covered struct{ Values, Branches int }
