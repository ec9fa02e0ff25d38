package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// shorten makes equal texts shorter and plainer. It deletes runes, many at once. It makes
// runes the plainest, or plainer, or all equal ones plainer at once. It sorts them, and
// renames them so that the first are the plainest. In short texts, it deletes any two.
func (m *minimizer) shorten(at []int) {
	s := texts{m: m, at: at}
	s.tag = m.best[at[0]].Tag
	for k := 0; k < len(s.runes()); k++ {
		gallop(func(n int) bool {
			r := s.runes()
			return k+n <= len(r) && s.put(append(r[:k:k], r[k+n:]...))
		})
	}
	s.plain(0, len(s.runes()))
	for k := 0; k < len(s.runes()); k++ {
		gallop(func(n int) bool { return k+n <= len(s.runes()) && s.plain(k, k+n) })
	}
	for k := 0; k < len(s.runes()); k++ {
		s.lower(k)
	}
	s.sort()
	s.rename()
	for i := 0; i < len(s.runes()); i++ {
		for j := i + 1; j < len(s.runes()) && len(s.runes()) <= few; j++ {
			r := s.runes()
			s.put(slices.Delete(slices.Delete(r, j, j+1), i, i+1))
		}
	}
}

// texts are equal texts being shortened.
type texts struct {
	m   *minimizer
	at  []int
	tag string
}

// runes returns the text, or nil if a step has replaced it by something else.
func (s *texts) runes() []rune {
	for _, i := range s.at {
		if t := s.m.best; i >= len(t) || t[i].Kind != choices.Text || t[i].Tag != s.tag || !s.m.active() {
			return nil
		}
	}
	return []rune(s.tag)
}

// put tries another text.
func (s *texts) put(r []rune) bool {
	if !s.m.try(with(s.m.best, s.at, func(c *choices.Choice) { c.Tag = string(r) })) {
		return false
	}
	if i := s.at[0]; i < len(s.m.best) {
		s.tag = s.m.best[i].Tag
	}
	return true
}

// plain makes the runes from i up to j the plainest that are allowed: it writes 'a', and the
// replay replaces what is not allowed there.
func (s *texts) plain(i, j int) bool {
	r := s.runes()
	for k := i; k < j && k < len(r); k++ {
		r[k] = 'a'
	}
	return len(r) > 0 && s.put(r)
}

// lower makes the rune at k plainer or, if that fails, all equal ones at once. It does not
// know which runes are allowed: a replay replaces a forbidden rune by an allowed one, and
// try rejects a text that is not plainer than before.
func (s *texts) lower(k int) {
	for _, together := range []bool{false, true} {
		good, bad := s.tryPlain(k, together)
		for good-bad > 1 && s.m.active() {
			mid := bad + (good-bad)/2
			if now, ok := s.set(k, mid, together); ok && now < good {
				good = now
			} else {
				bad = mid
			}
		}
	}
}

// tryPlain tries a few plain runes at k. The value fails with the rune of rank good, and perhaps
// not with the rune of rank bad and those below.
func (s *texts) tryPlain(k int, together bool) (good, bad int) {
	good, bad = s.rank(k), -1
	for _, plain := range []rune{'a', '0', ' '} {
		n, _ := allRunes.Index(plain)
		if n >= good {
			break
		}
		if now, ok := s.set(k, n, together); ok {
			return now, bad
		}
		bad = n
	}
	return good, bad
}

// set puts the rune of rank n in the place of the rune at k or, if together is true, of two or
// more that equal it. It returns the rank of the rune that is there then.
func (s *texts) set(k, n int, together bool) (now int, ok bool) {
	r := s.runes()
	if k >= len(r) {
		return 0, false
	}
	old, equal := r[k], 0
	for i := range r {
		if r[i] == old && (together || i == k) {
			r[i] = allRunes.At(n)
			equal++
		}
	}
	if together && equal < 2 {
		return 0, false
	}
	ok = s.put(r)
	return s.rank(k), ok
}

// rank returns how many runes are plainer than the rune at k.
func (s *texts) rank(k int) int {
	r := s.runes()
	if k >= len(r) {
		return 0
	}
	n, _ := allRunes.Index(r[k])
	return n
}

// sort sorts the runes, or as many neighbors as possible.
func (s *texts) sort() {
	r := s.runes()
	slices.SortStableFunc(r, compareRunes)
	if len(r) < 2 || s.put(r) {
		return
	}
	for k := 0; k+1 < len(s.runes()); k++ {
		for i := k; i >= 0; i-- {
			r := s.runes()
			if i+1 >= len(r) || compareRunes(r[i], r[i+1]) <= 0 {
				break
			}
			r[i], r[i+1] = r[i+1], r[i]
			if !s.put(r) {
				break
			}
		}
	}
}

// rename exchanges the runes, so that the plainest of them occurs first.
func (s *texts) rename() {
	r := s.runes()
	var first []rune
	for _, c := range r {
		if !slices.Contains(first, c) {
			first = append(first, c)
		}
		if len(first) > 100 {
			return
		}
	}
	sorted := slices.Clone(first)
	slices.SortFunc(sorted, compareRunes)
	for i, c := range r {
		r[i] = sorted[slices.Index(first, c)]
	}
	if len(r) > 0 {
		s.put(r)
	}
}
