package bigen

import "github.com/espalier-go/espalier/choices"

// ChoicesPacked is Choices by a packed run, also where another would do.
func ChoicesPacked[A any](g Gen[A], v A) (choices.Tree, bool) {
	c := newC()
	defer c.release()
	*c = c.begin(C{back: true, pack: newPacker(false)})
	if !g.backward(c, &v) {
		return nil, false
	}
	return c.forest().First(), true
}
