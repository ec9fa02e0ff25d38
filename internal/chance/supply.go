package chance

// NaturalSize is the size of values that are as large as their generator's weights make them, up to
// this bound.
const NaturalSize = 256

// How many alternatives other than the first a value takes at random where nothing else bounds
// it: MostDrawn if it is made from nothing, MostRedrawn below a subtree that is made again.
const (
	MostDrawn   = 4 * NaturalSize
	MostRedrawn = 4 * MostDrawn
)

// A Supply bounds what chance adds to a value: once a value has taken so many alternatives other
// than the first at random, the remaining questions get their first. So a generator whose
// weights make infinite values on average costs little. The steps of a sequence have a bound of
// their own: they use up the supply, but do not end with it.
type Supply struct{ Taken int }

// Draw returns the alternative that a pick takes for which n was drawn. A pick that is not bounded,
// because it is a step or its first alternative has no weight, takes n.
func (s *Supply) Draw(n, most int, bounded bool) int {
	s.Taken += min(n, 1)
	if s.Taken > most && bounded {
		return 0
	}
	return n
}
