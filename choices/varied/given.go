package varied

import "github.com/espalier-go/espalier/choices"

// given holds the answers so far that are remembered, in the order of a [choices.Tree].
type given struct {
	answers []answer
	texts   []string
}

// answer is one answer, in given.
type answer struct {
	n      int64  // as in Choice; Text: the index in texts
	slot   uint32 // as in Choice
	end    int32  // Pick: the index after the answers below, 0 until it is known
	family uint16 // Pick: as in Choice
	kind   choices.Kind
}

// maxLook bounds a search for an answer to repeat.
const maxLook = 24

// before returns the index of the first answer that fits, of the i-th and those before it, and
// then of the last ones. It looks at maxLook of them, and returns -1 if none fits.
func (g *given) before(i int, fits func(*answer) bool) int {
	for range min(len(g.answers), maxLook) {
		if fits(&g.answers[i]) {
			return i
		}
		if i--; i < 0 {
			i = len(g.answers) - 1
		}
	}
	return -1
}
