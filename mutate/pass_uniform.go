package mutate

import "github.com/espalier-go/espalier/choices"

// long is how many elements a sequence has at least for uniform.
const long = 16

// uniform makes the integers or texts of a long sequence all the simplest, and takes the least power
// of two of them with which the value fails. Of a sequence whose elements are equal, it deletes two,
// three or four at once: which of them does not matter, but how many remain may.
func (m *minimizer) uniform() {
	for i := range m.places(m.beginsSequence) {
		m.anew(i, func() { m.powers(i) })
		for by := 2; by <= 4 && m.equalElements(i); by++ {
			gallop(func(n int) bool { return m.cutRun(i, 0, by*n) })
		}
	}
}

// powers tries powers of two of simplest elements in place of those of the sequence at i.
func (m *minimizer) powers(i int) {
	all := m.elements(i)
	if all < long || m.best[i].Size != 2 || m.best[i+1].Kind == choices.Pick {
		return
	}
	one := append(choices.Tree(nil), m.best.At(i)...)
	one[1].N, one[1].Tag = 0, "" // or what is nearest
	var some choices.Tree
	for n := 1; n < all && m.active(); n *= 2 {
		for k := len(some) / len(one); k < n; k++ {
			one[0].Index = m.best[i].Index + int32(k)
			some = append(some, one...)
		}
		edited, ok := m.edit.replace(m.best, i, element(m.best, i, all), some)
		if !ok || m.try(edited) {
			return
		}
	}
}

// elements returns how many elements the sequence at i has.
func (m *minimizer) elements(i int) int {
	if !m.beginsSequence(i) {
		return 0
	}
	n := m.layout.run[i]
	if stops(&m.best[element(m.best, i, n-1)]) {
		n--
	}
	return n
}

// equalElements reports whether the elements of a long sequence at i are equal.
func (m *minimizer) equalElements(i int) bool {
	n := m.elements(i)
	if n < long {
		return false
	}
	for k, at := 1, m.best.End(i); k < n; k, at = k+1, m.best.End(at) {
		if !sameChoices(m.best.At(i), m.best.At(at)) {
			return false
		}
	}
	return true
}
