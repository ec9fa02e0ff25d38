package explore

import (
	"github.com/espalier-go/espalier/internal/engine"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

const (
	maxMarks     = 256
	marksPerSite = 8
	smallNumber  = 16 // mutate.Mutator.Nudge reaches integers up to it
)

// A dictionary collects what the code under test compares its input with: the last 256
// new marks, at most 8 of them from comparisons at one site. Its zero value is empty.
type dictionary struct {
	marks []choices.Mark // the oldest first; valid until the next learn
	sites []uint64       // of the marks
	known map[choices.Mark]bool
}

// learn adds what the code under test has compared in a run on the value of t: integers
// above 16 that are constants of the program, and texts that no text of t contains.
func (d *dictionary) learn(t choices.Tree, numbers []engine.NumberComparison, texts []engine.TextComparison) {
	for i := range numbers {
		if c := &numbers[i]; c.Const && slices.Contains(sizes[:], c.Size) {
			d.number(c)
		}
	}
	for i := range texts {
		c := &texts[i]
		for _, s := range [...][]byte{c.A, c.B} {
			m := choices.Mark{Kind: choices.Text, Tag: string(s)}
			if m.Tag != "" && !d.known[m] && !slices.ContainsFunc(t, func(c choices.Choice) bool { return isText(&c) && strings.Contains(c.Tag, m.Tag) }) {
				d.add(m, c.Site)
			}
		}
	}
}

// number adds the constant of c, with and without a sign.
func (d *dictionary) number(c *engine.NumberComparison) {
	plain := c.A & mask(c.Size)
	negative := signed(plain, c.Size)
	if min(plain, -negative) <= smallNumber {
		return
	}
	d.add(choices.Mark{Kind: choices.Uint, N: int64(plain)}, c.Site)
	d.add(choices.Mark{Kind: choices.Int, N: int64(negative)}, c.Site)
	if int64(plain) > 0 {
		d.add(choices.Mark{Kind: choices.Int, N: int64(plain)}, c.Site)
	}
}

func (d *dictionary) add(m choices.Mark, site uint64) {
	if d.known[m] {
		return
	}
	if d.known == nil {
		d.known = map[choices.Mark]bool{}
	}
	first, times := 0, 0
	for i := len(d.sites) - 1; i >= 0 && times < marksPerSite; i-- {
		if d.sites[i] == site {
			first = i
			times++
		}
	}
	if times == marksPerSite || len(d.marks) == maxMarks {
		if times < marksPerSite {
			first = 0
		}
		delete(d.known, d.marks[first])
		d.marks = slices.Delete(d.marks, first, first+1)
		d.sites = slices.Delete(d.sites, first, first+1)
	}
	d.known[m] = true
	d.marks, d.sites = append(d.marks, m), append(d.sites, site)
}
