package rl

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/sizeclass"
)

// archive holds valid inputs that were worth much, to revisit (Ecoffet et al., "First return, then
// explore", Nature 2021). Revisits explore the neighborhood of valid inputs step by
// step, which pays off where few inputs are valid. It has a class for each size: there are more
// small inputs than large ones.
type archive struct {
	classes [sizeclass.Count][]*cell
	used    []int // classes that have cells
	kept    int
	bytes   int
	most    int // bytes
}

// cell is an input: the answers that made it.
type cell struct {
	answers   []answered
	bytes     int
	fruitless int // revisits since the last that was worth much
}

const maxKept = 1 << 10

// add adds an input, unless it takes more than a sixteenth of the archive. To make room,
// evict removes others.
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
	for a.kept > 0 && (a.bytes+bytes > a.most || a.kept == maxKept) {
		a.evict(r)
	}
	k := classOf(answers)
	if len(a.classes[k]) == 0 {
		a.used = append(a.used, k)
	}
	a.classes[k] = append(a.classes[k], &cell{answers: append([]answered(nil), answers...), bytes: bytes})
	a.bytes += bytes
	a.kept++
}

// evict removes one of two cells of the fullest class: the one with more fruitless revisits.
func (a *archive) evict(r *rand.Rand) {
	k := a.used[0]
	for _, l := range a.used {
		if len(a.classes[l]) > len(a.classes[k]) {
			k = l
		}
	}
	kept := a.classes[k]
	i, j := r.IntN(len(kept)), r.IntN(len(kept))
	if kept[j].fruitless > kept[i].fruitless {
		i = j
	}
	last := len(kept) - 1
	a.bytes -= kept[i].bytes
	kept[i] = kept[last]
	kept[last] = nil
	a.classes[k] = kept[:last]
	a.kept--
	if last == 0 {
		a.used = slices.DeleteFunc(a.used, func(l int) bool { return l == k })
	}
}

// draw returns one of two inputs, the one with fewer fruitless revisits: one of all, and one
// of a size that is drawn first.
func (a *archive) draw(r *rand.Rand) *cell {
	c := a.any(r)
	sized := a.classes[a.used[r.IntN(len(a.used))]]
	if other := sized[r.IntN(len(sized))]; other.fruitless < c.fruitless {
		return other
	}
	return c
}

// any returns a random input.
func (a *archive) any(r *rand.Rand) *cell {
	i := r.IntN(a.kept)
	for _, k := range a.used {
		if i < len(a.classes[k]) {
			return a.classes[k][i]
		}
		i -= len(a.classes[k])
	}
	panic("rl: the archive has fewer inputs than it has counted")
}

// classOf returns the class of an input by the number of picks with parts.
func classOf(answers []answered) int {
	size := 0
	for i := range answers {
		if answers[i].size > 1 {
			size++
		}
	}
	return sizeclass.Of(size)
}
