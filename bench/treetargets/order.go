package treetargets

// An Order says what values to run: by the weights that make so many of each constructor as near
// alike as it can be, on so many levels, or, if Uniform is 0, as Check makes them.
type Order struct {
	Target  string
	Uniform int
	Seed    uint64
	Bytes   int    // of the values, together
	Answer  string // the file for a [Covered], as JSON
}

// Covered says what an order has come to.
type Covered struct{ Values, Branches int }
