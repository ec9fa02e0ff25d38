package choices

// drawn records how an answer was drawn.
type drawn struct {
	ok    bool   // it was
	word  uint64 // the random bits
	avoid int    // the alternative that the answer must not be, or -1
}

// by records that an answer was drawn with the bits of word.
func (d *drawn) by(word uint64, avoid int) {
	if d != nil {
		*d = drawn{true, word, avoid}
	}
}
