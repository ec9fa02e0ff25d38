package coverage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// chosen says how many entries are kept, and what they cover: the same as all of them.
type chosen struct {
	kept         int
	statements   int // that are reached
	combinations int // of choices
}

// choose decides which entries are kept, by setting why:
//
//  1. What code adds, and entries that do more than succeed, are there in any case.
//  2. Of the others, the one that adds most comes next: statements and combinations count
//     alike, but combinations only of values that the property assumes. Of equals, entries of
//     such values come first, then the smallest file, then the first by name.
//  3. When none adds anything, those that step 2 has taken are taken again in reverse
//     order, without the ones that no longer add anything: later ones may have what made
//     an earlier one useful.
//  4. If nothing is reached, and nothing has been taken, the first one by the order of step
//     2 is kept, so that the corpus does not vanish.
func choose(found *measured, strength int) chosen {
	var sure, open []*measuredEntry
	for _, c := range found.entries {
		switch c.status {
		case job.Valid, job.Invalid:
			open = append(open, c)
		default:
			c.why = "always kept: " + string(c.status)
			sure = append(sure, c)
		}
	}
	rank := func(c *measuredEntry) int {
		if c.status == job.Invalid {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(open, func(a, b *measuredEntry) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.file), len(b.file)),
			cmp.Compare(a.path, b.path))
	})
	start := func() *union {
		u := newUnion(found.blocks, strength)
		for _, c := range slices.Concat(found.code, sure) {
			u.add(c)
		}
		return u
	}

	taken := start().take(open)
	u := start()
	kept := len(sure)
	for _, c := range slices.Backward(taken) {
		if c.why = u.adds(c); c.why != "" {
			u.add(c)
			kept++
		}
	}
	if kept == 0 && u.statements == 0 && len(open) > 0 {
		open[0].why = "no entry reaches anything: one is kept"
		kept++
	}
	return chosen{kept, u.statements, u.combinations()}
}

// take adds the entry that adds most, again and again, until none adds anything. It returns them.
func (u *union) take(open []*measuredEntry) (taken []*measuredEntry) {
	gains := make([]int, len(open))
	for i, c := range open {
		gains[i] = sum(u.gain(c))
	}
	for {
		best := -1
		for i := range open { // a gain only shrinks: those that are too small need no update
			if gains[i] == 0 || best >= 0 && gains[i] <= gains[best] {
				continue
			}
			if gains[i] = sum(u.gain(open[i])); gains[i] > 0 && (best < 0 || gains[i] > gains[best]) {
				best = i
			}
		}
		if best < 0 {
			return taken
		}
		u.add(open[best])
		gains[best] = 0
		taken = append(taken, open[best])
	}
}

// adds says what an entry would add, or returns "" if it adds nothing.
func (u *union) adds(c *measuredEntry) string {
	statements, combinations := u.gain(c)
	var adds []string
	if statements > 0 {
		adds = append(adds, session.Count(statements, "statement", "statements"))
	}
	if combinations > 0 {
		adds = append(adds, session.Count(combinations, "combination", "combinations"))
	}
	if len(adds) == 0 {
		return ""
	}
	return "adds " + strings.Join(adds, " and ")
}

func sum(a, b int) int { return a + b }

// A union is what several entries cover together.
type union struct {
	blocks     []Block
	reached    []bool
	statements int
	coverage   *combinations.Coverage // nil if combinations do not count
}

func newUnion(blocks []Block, strength int) *union {
	u := &union{blocks: blocks, reached: make([]bool, len(blocks))}
	if strength > 0 {
		u.coverage = combinations.New(strength, nil)
	}
	return u
}

// gain returns how many statements and combinations an entry would add.
func (u *union) gain(c *measuredEntry) (statements, combinations int) {
	for _, b := range c.blocks {
		if !u.reached[b] {
			statements += u.blocks[b].Statements
		}
	}
	if u.coverage != nil {
		combinations = u.coverage.Gain(c.counted())
	}
	return statements, combinations
}

func (u *union) add(c *measuredEntry) {
	for _, b := range c.blocks {
		if !u.reached[b] {
			u.reached[b] = true
			u.statements += u.blocks[b].Statements
		}
	}
	if u.coverage != nil {
		u.coverage.Add(c.counted())
	}
}

// counted returns the choices of an entry whose combinations count.
func (c *measuredEntry) counted() choices.Tree {
	if c.status == job.Invalid {
		return nil
	}
	return c.tree
}

func (u *union) combinations() int {
	if u.coverage == nil {
		return 0
	}
	return u.coverage.Len()
}
