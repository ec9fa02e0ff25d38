package explore

import (
	"cmp"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// A substitution is an edit that may make a comparison of the code under test have
// another result.
type substitution struct {
	At   int          // which choice is to change: an integer, a text, or the first element of a sequence
	To   choices.Mark // what an integer or text is to be; of kind Pick: a sequence of N elements
	Site uint64       // where the comparison is made
}

const (
	maxSubstitutions = 256
	maxLength        = 4096 // of texts, in bytes, and sequences
	maxLeaves        = 2000 // that are matched
	perSite          = 8    // substitutions of a choice by one comparison, before others have theirs
)

// substitutions returns edits of t that may change the results of comparisons, which the
// code under test has made in a run on the value of t. It returns up to 256 different edits,
// the most promising first. A comparison with a magic number or a keyword gives away what
// the input must be there; the idea is REDQUEEN's (Aschermann et al., "Input-to-State
// Correspondence", NDSS 2019), here on choices instead of bytes:
//
//  1. An integer that equals an operand becomes the other operand, or one more or less. It
//     may equal the operand after it is truncated to the operand's size; or after it is
//     incremented, decremented, negated, or its bytes are reversed, which is then undone in
//     what it becomes; or as a decimal or hexadecimal number in a text, at the place where
//     the operands differ.
//  2. A text that equals an operand, up to the case of ASCII letters, becomes the other one.
//     In a text that contains an operand, the other takes its place. A text that is a part
//     of an operand becomes what stands at its place in the other.
//  3. In a text, a rune that equals an operand becomes the other operand; two, four or eight
//     runes with the values of its bytes, in either order, become the bytes of the other;
//     so does a number written in decimal.
//  4. A text whose length in bytes or runes equals an operand, and a sequence whose number
//     of elements does, gets the length of the other operand, or one more or less, up to
//     4096.
//
// Constant operands are not matched, because no value determines them; nor are comparisons
// of equal operands. Texts of more than 4096 bytes are left alone. Of thousands of integers
// and texts, at least 1000 are matched. An integer stays in its range; the replay mends a
// text that does not. An operand of more bits ranks higher: 0 and 1 are everywhere.
func substitutions(t choices.Tree, numbers []engine.NumberComparison, texts []engine.TextComparison) []substitution {
	m := matcher{operands: newOperands(numbers, texts), floor: math.MinInt}
	if m.empty() {
		return nil
	}
	leaves := 0
	for i := range t {
		if isLeaf(&t[i]) {
			leaves++
		}
	}
	every := 1 + leaves/maxLeaves
	for i := range t {
		c := &t[i]
		if !isLeaf(c) {
			continue
		}
		if leaves--; leaves%every > 0 {
			continue
		}
		if isNumber(c) {
			m.number(i, c)
		} else if len(c.Tag) <= maxLength {
			m.text(i, c.Tag)
		}
	}
	for s := range mutate.Sequences(t) {
		m.length(s.From, s.N, func(n int) (choices.Mark, bool) {
			return choices.Mark{N: int64(n)}, n < s.N || s.Open
		})
	}
	m.trim()
	out := make([]substitution, len(m.found))
	for i := range m.found {
		out[i] = m.found[i].substitution
	}
	return out
}

// apply returns a copy of t, the tree that the substitution is for, with the edit made.
// It must be replayed. Further elements of a sequence are as simple as a replay makes
// what is not recorded. In another tree, it does nothing where nothing fits.
func (s substitution) apply(t choices.Tree) choices.Tree {
	if s.At < 0 || s.At >= len(t) {
		return slices.Clone(t)
	}
	if s.To.Kind == choices.Pick {
		return mutate.Resize(t, s.At, int(s.To.N))
	}
	t = slices.Clone(t)
	if c := &t[s.At]; c.Kind == s.To.Kind {
		c.N, c.Tag, c.Reroll = s.To.N, s.To.Tag, false
	}
	return t
}

// matcher looks for substitutions.
type matcher struct {
	operands
	found []candidate
	floor int // what has a lower score is not among the likeliest
}

// candidate is a substitution that is the likelier, the higher its score.
type candidate struct {
	substitution
	score int
}

// isNumber reports whether c is an integer that could be another.
func isNumber(c *choices.Choice) bool {
	return (c.Kind == choices.Int || c.Kind == choices.Uint) && c.Kind.Less(c.Lo, c.Hi)
}

// isText reports whether c is a text.
func isText(c *choices.Choice) bool { return c.Kind == choices.Text }

// isLeaf reports whether c is an integer or text that could be another.
func isLeaf(c *choices.Choice) bool { return isText(c) || isNumber(c) }

// outside reports whether n is not in the range of c.
func outside(c *choices.Choice, n int64) bool { return c.Kind.Less(n, c.Lo) || c.Kind.Less(c.Hi, n) }

// add notes a candidate.
func (m *matcher) add(at int, to choices.Mark, site uint64, score int) {
	if score < m.floor {
		return
	}
	m.found = append(m.found, candidate{substitution{at, to, site}, score})
	if len(m.found) >= 8*maxSubstitutions {
		m.trim()
	}
}

// trim leaves the likeliest candidates, each once, in order.
func (m *matcher) trim() {
	slices.SortFunc(m.found, func(a, b candidate) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.To.N, b.To.N), cmp.Compare(a.To.Tag, b.To.Tag), cmp.Compare(a.Site, b.Site))
	})
	type edit struct {
		at int
		to choices.Mark
	}
	type cause struct {
		at   int
		site uint64
	}
	known, times := map[edit]bool{}, map[cause]int{}
	var first, further []candidate
	for _, c := range m.found {
		e := edit{c.At, c.To}
		if known[e] {
			continue
		}
		known[e] = true
		why := cause{c.At, c.Site}
		if times[why]++; times[why] <= perSite {
			if first = append(first, c); len(first) == maxSubstitutions {
				m.floor = c.score
				break
			}
		} else if len(further) < maxSubstitutions {
			further = append(further, c)
		}
	}
	first = append(first, further...)
	m.found = first[:min(len(first), maxSubstitutions)]
}

// length adds candidates for what stands at i and has n parts; to says what would have
// another number of parts, if anything may.
func (m *matcher) length(i, n int, to func(n int) (choices.Mark, bool)) {
	const cost = 8
	for _, size := range sizes {
		for _, o := range m.find(size, uint64(n)) {
			for _, s := range steps {
				want := o.other + s.by
				score := o.score - s.cost - cost
				if want > maxLength || want == uint64(n) || score < m.floor {
					continue
				}
				if mark, ok := to(int(want)); ok {
					m.add(i, mark, o.site, score)
				}
			}
		}
	}
}

// resized returns s, cut to n runes or repeated up to n runes.
func resized(s string, n int) string {
	if s == "" {
		s = "a"
	}
	have := utf8.RuneCountInString(s)
	out := strings.Repeat(s, n/have)
	for i := range s {
		if n%have == 0 {
			return out + s[:i]
		}
		n--
	}
	return out
}
