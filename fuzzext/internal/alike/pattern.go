package alike

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Pattern says what a minimal failing value needs in order to fail: its essential choices.
// Those are the ones that are not the simplest answer, and those for which another answer
// has been seen to pass. A value that has all of them probably fails for the same reason.
// Where they stand does not matter, only in which fields:
//
//  1. A value has at least as many picks of each tag in each field.
//  2. Of each integer, it has the same one in the same field; of each text, one with the same
//     runes in this order, with any rune for an a.
//  3. Fields in which other integers, or neighboring ones, turn out to fail, too, are free: one
//     of them has any integer but the simplest. Runes that do may be any of their kind.
type Pattern struct {
	Tree     choices.Tree // of the minimal value
	Needs    []Need       // of its choices
	Runes    map[rune]int // kinds of runes all of which fail, see KindThatFails
	absorbed []choices.Tree

	Families *Fields
	known    int // of the families when what follows was made
	picks    map[uint64]int
	leafs    []leafPattern
	free     map[uint64]bool // fields
}

// A leafPattern is what an integer or text must be.
type leafPattern struct {
	field uint64
	text  bool
	n     int64
	runes []runePattern
}

// A runePattern matches one rune or, if kind is not 0, all of that kind.
type runePattern struct {
	r    rune
	kind int
}

// refresh makes the pattern anew if more has become known about fields.
func (p *Pattern) refresh() {
	if p.picks != nil && p.known == len(p.Families.recursive) {
		return
	}
	p.known, p.picks, p.leafs, p.free = len(p.Families.recursive), map[uint64]int{}, nil, map[uint64]bool{}
	p.Families.each(p.Tree, func(i int, field uint64) {
		c := &p.Tree[i]
		switch {
		case p.Needs[i] == Nothing:
		case c.Kind == choices.Pick:
			p.picks[field]++
		case p.Needs[i] == NotSimplest:
			p.free[directed(c, field)] = true
		case c.Kind == choices.Text:
			leaf := leafPattern{field: field, text: true}
			for _, r := range c.Tag {
				leaf.runes = append(leaf.runes, runePattern{r, p.Runes[r]})
			}
			p.leafs = append(p.leafs, leaf)
		default:
			p.leafs = append(p.leafs, leafPattern{field: field, n: c.N})
		}
	})
	for _, t := range p.absorbed {
		p.widenTo(t)
	}
}

// A Need says which answers in place of a choice make a value pass.
type Need uint8

const (
	Nothing     Need = iota // none
	NotSimplest             // of an integer, the simplest
	Itself                  // some
)

// In reports whether a value has what the pattern says.
func (p *Pattern) In(t choices.Tree) bool {
	p.refresh()
	picks := map[uint64]int{}
	found := make([]bool, len(p.leafs))
	free := len(p.free) == 0
	p.Families.each(t, func(i int, field uint64) {
		c := &t[i]
		if c.Kind == choices.Pick {
			picks[field]++
			return
		}
		free = free || p.free[directed(c, field)] && !c.IsSimplest()
		for j := range p.leafs {
			if !found[j] && p.leafs[j].matches(c, field) {
				found[j] = true
				return
			}
		}
	})
	for field, n := range p.picks {
		if picks[field] < n {
			return false
		}
	}
	return free && !slices.Contains(found, false)
}

// directed returns a hash of a field and of whether its integer is below the simplest.
func directed(c *choices.Choice, field uint64) uint64 {
	if c.Kind != choices.Text && c.Kind.Less(c.N, c.Origin()) {
		return hash.Mix(field, 1)
	}
	return field
}

func (l *leafPattern) matches(c *choices.Choice, field uint64) bool {
	if l.field != field || l.text != (c.Kind == choices.Text) {
		return false
	}
	if !l.text {
		return l.n == c.N
	}
	if len(l.runes) == 0 {
		return c.Tag == ""
	}
	i := 0
	for _, r := range c.Tag {
		if i < len(l.runes) && l.runes[i].matches(r) {
			i++
		}
	}
	return i == len(l.runes)
}

func (p runePattern) matches(r rune) bool {
	return p.r == r || p.r == 'a' || p.kind == anyRune || p.kind == notASCII && r >= utf8.RuneSelf || p.kind != noKind && p.kind == kindOf(r)
}

// The kinds of runes that tend to fail for the same reason.
const (
	noKind = iota
	alphanumeric
	control
	latin1
	inBMP
	astral
	notASCII
	anyRune
)

// KindThatFails returns a kind of runes that all fail in place of r, or noKind.
func KindThatFails(r rune, fails func(rune) bool) int {
	all := func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool { return !fails(r) })
	}
	const ascii, others = "b0 !", "é世𝄞\uFFFD"
	switch {
	case r >= utf8.RuneSelf && !all(others), r < utf8.RuneSelf && !(all(ascii) && all(others)):
		return noKind
	case r >= utf8.RuneSelf && !all(ascii):
		return notASCII
	}
	return anyRune
}

func kindOf(r rune) int {
	switch {
	case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
		return alphanumeric
	case r == '\n', r == '\r', r == '\t':
		return noKind
	case r < ' ' || r == 0x7F:
		return control
	case r < utf8.RuneSelf:
		return noKind
	case r <= 0xFF:
		return latin1
	case r <= 0xFFFF:
		return inBMP
	}
	return astral
}

// Absorb makes the pattern that of another minimal value as well, if the two differ only in
// integers and runes. Unless far is set, integers must differ by 1 at most, and runes be of a
// kind: the first value that is not in the pattern of another is then its neighbor.
func (p *Pattern) Absorb(t choices.Tree, far bool) bool {
	if !p.Likes(t, far) {
		return false
	}
	p.refresh()
	p.widenTo(t)
	p.absorbed = append(p.absorbed, slices.Clone(t))
	return true
}

// Likes reports whether Absorb would be possible. If integers differ, one must be another than
// the simplest in both trees: otherwise they are about different fields.
func (p *Pattern) Likes(t choices.Tree, far bool) bool {
	if !slices.EqualFunc(p.Tree, t, func(a, b choices.Choice) bool { return alike(&a, &b, far) }) {
		return false
	}
	differ, shared := false, false
	for i := range t {
		if a, b := &p.Tree[i], &t[i]; a.Kind != choices.Pick && a.N != b.N {
			differ, shared = true, shared || !a.IsSimplest() && !b.IsSimplest()
		}
	}
	return shared || !differ
}

// alike reports whether two choices differ as [Pattern.Absorb] allows.
func alike(a, b *choices.Choice, far bool) bool {
	switch {
	case a.Kind != b.Kind || a.Slot != b.Slot:
		return false
	case a.Kind == choices.Pick:
		return a.Tag == b.Tag
	case a.Kind == choices.Text:
		return sameKinds(a.Tag, b.Tag)
	}
	return far || a.N-b.N <= 1 && b.N-a.N <= 1
}

// widenTo is Absorb for a tree that differs as neighbors do.
func (p *Pattern) widenTo(t choices.Tree) {
	p.Families.each(p.Tree, func(i int, field uint64) {
		a, b := &p.Tree[i], &t[i]
		switch {
		case a.Kind == choices.Text && a.Tag != b.Tag:
			p.widen(field, a.Tag, b.Tag)
		case a.Kind != choices.Pick && a.N != b.N:
			p.free[directed(a, field)], p.free[directed(b, field)] = true, true
			p.leafs = slices.DeleteFunc(p.leafs, func(l leafPattern) bool { return l.field == field && !l.text })
		}
	})
}

// widen lets the runes in which two texts differ be any of their kinds.
func (p *Pattern) widen(field uint64, a, b string) {
	was, is := []rune(a), []rune(b)
	for i := range p.leafs {
		l := &p.leafs[i]
		if l.field != field || !l.text || len(l.runes) != len(was) {
			continue
		}
		for j := range l.runes {
			if l.runes[j].r == was[j] && was[j] != is[j] && l.runes[j].kind == noKind {
				l.runes[j].kind = kindOf(was[j])
			}
		}
	}
}

// sameKinds reports whether two texts have equal runes, or ones of a kind.
func sameKinds(a, b string) bool {
	x, y := []rune(a), []rune(b)
	return slices.EqualFunc(x, y, func(r, s rune) bool {
		return r == s || kindOf(r) != noKind && kindOf(r) == kindOf(s)
	})
}

// Without returns a copy of a tree that lacks one thing of the pattern, the n-th. A replay of
// the copy with a random source makes a value.
func (p *Pattern) Without(t choices.Tree, n uint64) choices.Tree {
	var fields []uint64
	for i := range p.leafs {
		fields = append(fields, p.leafs[i].field)
	}
	for f := range p.free {
		fields = append(fields, f)
	}
	for f := range p.picks {
		fields = append(fields, f)
	}
	if len(fields) == 0 {
		return t
	}
	slices.Sort(fields)
	field := fields[n%uint64(len(fields))]
	spare := max(0, p.picks[field]-1) // picks that may stay
	edited := slices.Clone(t)
	p.Families.each(t, func(i int, f uint64) {
		c := &edited[i]
		switch {
		case f != field && directed(c, f) != field:
		case c.Kind == choices.Pick && spare > 0:
			spare--
		case c.Kind == choices.Pick || c.IsSimplest():
			c.Reroll = true
		case c.Kind == choices.Text:
			c.Tag = ""
		default:
			c.N = c.Origin()
		}
	})
	return edited
}

// Fields tells the fields of a generator apart. It knows which picks are recursive: they occur below themselves.
type Fields struct{ recursive map[uint16]bool } // families of picks

// Note learns from a value.
func (f *Fields) Note(t choices.Tree) {
	for i, around := range t.Walk() {
		c := &t[i]
		if c.Kind == choices.Pick && !c.Element && slices.ContainsFunc(around, func(j int) bool { return t[j].Family == c.Family }) {
			if f.recursive == nil {
				f.recursive = map[uint16]bool{}
			}
			f.recursive[c.Family] = true
		}
	}
}

// each calls do for the choices that could have been others, with a hash of the field that
// asked and, of a pick, of its tag. It does not matter where in a value a part stands that
// may contain itself.
func (f *Fields) each(t choices.Tree, do func(i int, field uint64)) {
	for i, around := range t.Walk() {
		if t[i].Kind <= choices.Text && t[i].Asked() {
			do(i, f.field(t, i, around))
		}
	}
}

func (f *Fields) field(t choices.Tree, i int, around []int) uint64 {
	c := &t[i]
	h := uint64(c.Kind)
	if c.Kind == choices.Pick {
		if h = hash.Mix(h, hash.FNV64(c.Tag)); f.recursive[c.Family] {
			return h
		}
	}
	h = hash.Mix(h, uint64(c.Slot))
	if c.Element { // how long a sequence is
		h = hash.Mix(h, uint64(c.Index))
	}
	for n := len(around) - 1; n >= 0; n-- {
		p := &t[around[n]]
		h = hash.Mix(h, hash.FNV64(p.Tag))
		if f.recursive[p.Family] {
			break
		}
		h = hash.Mix(h, uint64(p.Slot))
	}
	return h
}
