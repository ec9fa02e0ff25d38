package explore

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// A Substitution is an edit that may make a comparison of the code under test have
// another result.
type Substitution struct {
	At   int          // the choice to change: an integer, a text, or the first element of a sequence
	To   choices.Mark // what an integer or text becomes; if of kind Pick, the sequence gets N elements
	Site uint64       // where the comparison is made
}

const (
	maxSubstitutions = 256
	maxLength        = 4096 // of texts, in bytes
	maxLeaves        = 2000 // that are matched
	perSite          = 8    // substitutions of a choice by one comparison, before others get theirs
	smallNumber      = 16   // the operator nudge reaches integers up to it
)

// A leaf is what a field of an [engine.Comparer] stands for.
type leaf struct {
	at    int
	bytes bool // the runes of the text are bytes
	seq   *mutate.Sequence
}

// Substitutions returns edits of t that may change the results of the comparisons that the code
// under test has made in a run on its value: see [engine.Comparer]. It returns up to 256
// different edits, the most promising first. It skips texts of more than 4096 bytes. If there
// are thousands of integers and texts, it matches at least 1000. An integer stays in its range;
// the replay repairs a text that does not fit.
func Substitutions(c *engine.Comparer, t choices.Tree, trace *engine.Trace) (first []Substitution) {
	leaves, fields := leavesOf(t)
	type edit struct {
		at int
		to choices.Mark
	}
	type cause struct {
		at   int
		site uint64
	}
	known, times := map[edit]bool{}, map[cause]int{}
	var further []Substitution
	for _, p := range c.Patches(fields, trace) {
		l := leaves[p.Field]
		for _, to := range l.patched(t, fields[p.Field].Patched(p)) {
			if e := (edit{l.at, to}); known[e] {
				continue
			} else {
				known[e] = true
			}
			s := Substitution{l.at, to, p.Site}
			why := cause{l.at, p.Site}
			if times[why]++; times[why] <= perSite {
				first = append(first, s)
			} else {
				further = append(further, s)
			}
		}
	}
	first = append(first, further...)
	return first[:min(len(first), maxSubstitutions)]
}

// leavesOf returns the integers and texts of t that could be others, and its sequences.
func leavesOf(t choices.Tree) (leaves []leaf, fields []engine.Field) {
	add := func(l leaf, f engine.Field) { leaves, fields = append(leaves, l), append(fields, f) }
	n := 0
	for i := range t {
		if isLeaf(&t[i]) {
			n++
		}
	}
	every := 1 + n/maxLeaves
	for i := range t {
		c := &t[i]
		if !isLeaf(c) {
			continue
		}
		if n--; n%every > 0 {
			continue
		}
		switch {
		case c.Kind != choices.Text:
			add(leaf{at: i}, engine.NumberField(c.N, c.Kind == choices.Int))
		case len(c.Tag) <= maxLength:
			add(leaf{at: i}, engine.TextField(c.Tag))
			if b, ok := toBytes(c.Tag); ok && b != c.Tag { // the runes may come from a []byte
				add(leaf{at: i, bytes: true}, engine.TextField(b))
			}
		}
	}
	for s := range mutate.Sequences(t) {
		add(leaf{at: s.From, seq: &s}, engine.LengthField(s.N))
	}
	return leaves, fields
}

// patched returns what the leaf becomes if its field becomes f, or nothing if the leaf stays
// the same.
func (l *leaf) patched(t choices.Tree, f engine.Field) (to []choices.Mark) {
	n, text := f.Value()
	c := &t[l.at]
	switch {
	case l.seq != nil:
		if int(n) < l.seq.N || l.seq.Open {
			to = append(to, choices.Mark{N: n})
		}
	case c.Kind != choices.Text:
		if !c.Kind.Less(n, c.Lo) && !c.Kind.Less(c.Hi, n) {
			to = append(to, choices.Mark{Kind: c.Kind, N: n})
		}
	default:
		for _, s := range l.textsOf(c.Tag, text) {
			if s != c.Tag && len(s) <= maxLength {
				to = append(to, choices.Mark{Kind: choices.Text, Tag: s})
			}
		}
	}
	return to
}

// textsOf returns what bytes may mean in the place of an old text: a text, or a rune for each byte.
func (l *leaf) textsOf(old, bytes string) []string {
	b, ascii := toBytes(old)
	ascii = ascii && b == old
	switch valid := utf8.ValidString(bytes); {
	case l.bytes || ascii && !valid:
		return []string{fromBytes(bytes)}
	case !ascii:
		return []string{strings.ToValidUTF8(bytes, "")}
	}
	return []string{bytes, fromBytes(bytes)}
}

// Apply returns a copy of t, the tree that the substitution is for, with the edit made.
// The copy must be replayed. New elements of a sequence are as simple as a replay makes
// what is not recorded. In another tree, Apply does nothing if nothing fits.
func (s Substitution) Apply(t choices.Tree) choices.Tree {
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

// isLeaf reports whether c is an integer or text that could be another.
func isLeaf(c *choices.Choice) bool {
	return c.Kind == choices.Text ||
		(c.Kind == choices.Int || c.Kind == choices.Uint) && c.Kind.Less(c.Lo, c.Hi)
}

// toBytes returns the bytes that have the values of the runes of s, if all are bytes.
func toBytes(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xFF {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// fromBytes returns the runes that have the values of the bytes of s.
func fromBytes(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		b = utf8.AppendRune(b, rune(s[i]))
	}
	return string(b)
}

// Marks returns what the code under test compares its input with: texts, and constant integers
// above 16.
func Marks(c *engine.Comparer) (marks []choices.Mark) {
	texts, numbers := c.Constants()
	for _, s := range texts {
		marks = append(marks, choices.Mark{Kind: choices.Text, Tag: s})
	}
	for _, n := range numbers {
		if min(n, -n) > smallNumber {
			marks = append(marks, choices.Mark{Kind: choices.Int, N: int64(n)}, choices.Mark{
				Kind: choices.Uint,
				N:    int64(n),
			})
		}
	}
	return marks
}
