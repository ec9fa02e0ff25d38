package rl

import "math/rand/v2"

// archive holds unique valid inputs to revisit (Ecoffet et al., "First return, then
// explore", Nature 2021). Revisits explore the neighborhood of valid inputs step by
// step, which pays off where few inputs are valid.
type archive struct {
	kept  []*cell
	bytes int
	most  int // bytes
}

// cell is an input: the answers that made it.
type cell struct {
	answers   []answered
	bytes     int
	fruitless int // revisits since the last that gave a unique valid input
}

const maxKept = 1 << 10

// add adds an input, unless it takes more than a sixteenth of the archive. To make room,
// add draws two inputs at random and removes the one with more fruitless revisits.
func (a *archive) add(answers []answered, r *rand.Rand) {
	if len(answers) == 0 {
		return
	}
	bytes := len(answers) * answeredBytes
	for i := range answers {
		bytes += len(answers[i].text)
	}
	if bytes > a.most/16 {
		return
	}
	for len(a.kept) > 0 && (a.bytes+bytes > a.most || len(a.kept) == maxKept) {
		i, j := r.IntN(len(a.kept)), r.IntN(len(a.kept))
		if a.kept[j].fruitless > a.kept[i].fruitless {
			i = j
		}
		last := len(a.kept) - 1
		a.bytes -= a.kept[i].bytes
		a.kept[i] = a.kept[last]
		a.kept[last] = nil
		a.kept = a.kept[:last]
	}
	a.kept = append(a.kept, &cell{answers: append([]answered(nil), answers...), bytes: bytes})
	a.bytes += bytes
}

// draw returns one of two random inputs: the one with fewer fruitless revisits.
func (a *archive) draw(r *rand.Rand) *cell {
	c, other := a.kept[r.IntN(len(a.kept))], a.kept[r.IntN(len(a.kept))]
	if other.fruitless < c.fruitless {
		return other
	}
	return c
}
