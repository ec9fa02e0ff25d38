package values

import "github.com/espalier-go/espalier/choices"

// NearAnswers returns edits that give a choice another answer: the nearest ones and the simplest
// first.
func NearAnswers(c *choices.Choice) (edits []func(*choices.Choice)) {
	switch c.Kind {
	case choices.Text:
		runes := []rune(c.Tag)
		if n := len(runes); n > 0 {
			edits = append(edits,
				func(c *choices.Choice) { c.Tag = string(runes[:n-1]) },
				func(c *choices.Choice) { c.Tag = string(runes[1:]) },
				func(c *choices.Choice) { c.Tag = "" })
		}
		edits = append(edits, func(c *choices.Choice) { c.Tag += "b" })
	case choices.Int, choices.Uint:
		simplest, step := c.Origin(), int64(1)
		if c.Kind.Less(c.N, simplest) {
			step = -1
		}
		for _, n := range []int64{c.N - step, simplest, c.N + step, c.Lo, c.Hi} {
			if c.Kind.Clamp(n, c.Lo, c.Hi) == n && n != c.N {
				edits = append(edits, func(c *choices.Choice) { c.N = n })
			}
		}
	case choices.Pick:
		for n := int64(0); n < c.N; n++ {
			edits = append(edits, func(c *choices.Choice) { c.TakeIndex(n) })
		}
	}
	return append(edits, OtherAnswers(c)...)
}

// probesOf is how many alternatives of a pick are tried.
const probesOf = 5

// OtherAnswers returns edits that give a choice, which is the simplest answer, another one.
func OtherAnswers(c *choices.Choice) (edits []func(*choices.Choice)) {
	switch c.Kind {
	case choices.Text:
		edits = append(edits, func(c *choices.Choice) { c.Tag = "b" })
	case choices.Pick:
		for n := c.N + 1; n <= min(c.Hi, probesOf); n++ {
			edits = append(edits, func(c *choices.Choice) { c.TakeIndex(n) })
		}
	default:
		for _, n := range farther(c) {
			edits = append(edits, func(c *choices.Choice) { c.N = n })
		}
	}
	return edits
}

// farther returns integers that are farther from the simplest one than the answer of a choice.
func farther(c *choices.Choice) []int64 {
	simplest, end := c.Origin(), c.Hi
	step := int64(1)
	if c.Kind.Less(c.N, simplest) || simplest == c.Hi {
		step, end = -1, c.Lo
	}
	var found []int64
	for _, n := range []int64{c.N + step, c.N + 2*(c.N-simplest), end} {
		beyond := c.Kind.Less(c.N, n) == (step > 0) && n != c.N
		if beyond && c.Kind.Clamp(n, c.Lo, c.Hi) == n {
			found = append(found, n)
		}
	}
	return found
}
