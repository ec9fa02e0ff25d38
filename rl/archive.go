package rl

import "math/rand/v2"

// archive holds unique valid inputs to return to (Ecoffet et al., "First return, then
// explore", Nature 2021): where validity is strict, the surroundings of what is valid
// are explored in steps.
type archive struct {
	kept  []*cell
	bytes int
	most  int
}

// cell is an input, as the answers that made it.
type cell struct {
	answers   []answered
	bytes     int
	fruitless int // returns in a row that came to no unique valid input
}

const maxKept = 1 << 10

// add keeps an input, unless it is large for the archive. What it has no room for
// goes, of two at random the one with more fruitless returns.
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

// draw returns, of two inputs at random, the one with fewer fruitless returns.
func (a *archive) draw(r *rand.Rand) *cell {
	m, other := a.kept[r.IntN(len(a.kept))], a.kept[r.IntN(len(a.kept))]
	if other.fruitless < m.fruitless {
		return other
	}
	return m
}
