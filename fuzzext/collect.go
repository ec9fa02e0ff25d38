package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/alike"
	"github.com/espalier-go/espalier/fuzzext/internal/outcome"
	"github.com/espalier-go/espalier/internal/engine"
)

// A collector collects the failures of a Check that continues after a failure: each class once,
// minimized within its class. Failures of one class count as several if their minimal values need
// different choices. To find these,
//
//  1. a failing value is minimized among values that have no known pattern of its class;
//  2. a minimal value that differs from a known one as neighbors do widens its pattern;
//  3. one that fails since a part of it does, alone, in a known class, is of that class;
//  4. the pattern of another one is found by trying other answers for each of its choices;
//  5. there are no more of a class if several of them have been seen in one value only: then
//     patterns do not tell failures of this class apart;
//  6. of most random values that have a known pattern, what the pattern needs is changed.
type collector struct {
	*reporter
	s        *trial
	r        *rand.Rand
	list     []*class
	tried    map[string]int // values minimized, by key
	kinds    alike.Fields
	wordings alike.Wordings
	failed   int // values
	others   int // of these, those that have not been looked at

	explained int // classes
}

// A class is a class of failures.
type class struct {
	minimized
	key     string
	place   string
	pattern *alike.Pattern
	others  []*alike.Pattern // of other minimal values of the class
	seen    int              // values
	file    string           // where the minimal value is saved, or ""
	isNew   bool             // it was not before
	err     error            // why it is not saved
	named   bool             // by the property
	given   bool             // the value was saved, or is an example
	flaky   string           // why, or ""
}

const (
	maxClasses    = 50 // in all
	maxStructures = 20 // of a key
	maxSeenOnce   = 5  // of these, ones that only one value has
	maxIntegers   = 3  // classes of a key that differ only in integers
	maxMinimized  = 60 // values of a key
	maxParts      = 4  // minimal values of one failing value
	maxProbes     = 200
	maxHoists     = 50
	maxExplained  = 10
)

// has reports whether a value has a pattern of the class.
func (f *class) has(t choices.Tree) bool { return f.patternOf(t) != nil }

// patternOf returns the pattern of the class that a value has, or nil.
func (f *class) patternOf(t choices.Tree) *alike.Pattern {
	if f.pattern != nil && f.pattern.In(t) {
		return f.pattern
	}
	for _, p := range f.others {
		if p.In(t) {
			return p
		}
	}
	return nil
}

func newCollector(r *reporter, s *trial, seed uint64) *collector {
	return &collector{reporter: r, s: s, r: rand.New(rand.NewPCG(seed, ^seed)), tried: map[string]int{}, wordings: alike.Wordings{}}
}

// none reports whether no failure has been collected.
func (c *collector) none() bool { return c == nil || len(c.list) == 0 }

// failTest fails the test with a summary, if there are failures.
func (c *collector) failTest() {
	if !c.none() {
		fmt.Fprint(c.s.tb.Output(), c.summary())
		c.s.tb.Fail()
	}
}

// add adds the failure of a run on the value of a tree, which may be one that was given.
func (c *collector) add(tree choices.Tree, run *T, given bool) {
	tree = slices.Clone(tree)
	c.kinds.Note(tree)
	c.failed++
	if run.hang != nil {
		c.addHang(tree, run)
		return
	}
	key, place := c.keyOf(run, tree), run.left().where
	if sh := c.wordings.Add(place, key); sh != nil {
		key = c.unite(sh, place)
	}
	for range maxParts {
		if known := c.find(key, tree); known != nil {
			known.seen++
			return
		}
		if c.full(key, place, given) {
			c.others++
			return
		}
		c.tried[key]++
		minimal := c.saveFirst(c.s, tree)
		m := c.minimize(c.s, tree, run, c.likes(run, key), func(t choices.Tree) bool { return c.find(key, t) == nil })
		key = c.keyOf(m.run, m.tree)
		if c.isKnown(key, m.tree) {
			minimal("known")
			continue
		}
		found := &class{minimized: m, key: key, place: place, given: given, named: run.class(false) != place}
		if m.stopped == "" {
			found.flaky = c.flaky(c.s, m.tree)
		}
		found.pattern = c.patternOf(found)
		c.saveClass(found)
		found.isNew = minimal(found.file) || found.isNew
		c.list = append(c.list, found)
		if found.flaky != "" || found.named || found.pattern.In(tree) {
			found.seen++
			return
		}
	}
	c.list[len(c.list)-1].seen++
}

// saveClass saves the minimal value of a class.
func (c *collector) saveClass(f *class) {
	f.file, f.isNew, f.err = saveEntry(c.home.dir(c.s.tb.Name()), choices.Encode(f.tree))
}

// keyOf returns the class of a failure. The run on the value of a tree must not be recycled.
func (c *collector) keyOf(run *T, tree choices.Tree) string {
	if c.anyFailure {
		return ""
	}
	key := c.classOf(run, tree)
	if echoes := run.classWithEchoes(); slices.ContainsFunc(c.list, func(f *class) bool { return f.key == echoes }) {
		key = echoes
	}
	return c.wordings.Key(run.left().where, key)
}

// likes returns a function that says whether another run has failed in the same class as the one
// with a key. It may say the same if what both have in common with their values is no echo.
func (c *collector) likes(run *T, key string) func(*T, choices.Tree) bool {
	echoes := run.classWithEchoes()
	return func(again *T, tree choices.Tree) bool {
		return c.keyOf(again, tree) == key || echoes != "" && again.classWithEchoes() == echoes
	}
}

// find returns the class with a key to whose pattern a value belongs, or nil.
func (c *collector) find(key string, t choices.Tree) *class {
	for _, f := range c.list {
		if f.key == key && (f.flaky != "" || f.named || f.has(t)) { // hangs have other keys
			return f
		}
	}
	return nil
}

// full reports whether there are so many classes that no other one is looked for.
func (c *collector) full(key, place string, given bool) bool {
	structures, once := 0, 0
	keys := map[string]bool{}
	for _, f := range c.list {
		if f.key == key {
			structures++
			if f.seen <= 1 && !f.given && !given {
				once++
			}
		}
		if f.place == place {
			keys[f.key] = true
		}
	}
	return len(c.list) == maxClasses || structures == maxStructures || once == maxSeenOnce || c.tried[key] == maxMinimized || !keys[key] && len(keys) == engine.MaxPlaceClasses
}

// patternOf returns the pattern of a class, as far as other answers in its minimal value tell.
func (c *collector) patternOf(f *class) *alike.Pattern {
	p := &alike.Pattern{Tree: f.tree, Needs: make([]alike.Need, len(f.tree)), Runes: map[rune]int{}, Families: &c.kinds}
	left := maxProbes
	passes := func(i int, change func(*choices.Choice)) bool {
		left--
		return left >= 0 && c.passesWith(f, i, change)
	}
	for i := range f.tree {
		ch := &f.tree[i]
		switch {
		case ch.Kind > choices.Text || !ch.Asked():
		case ch.IsSimplest():
			if slices.ContainsFunc(otherAnswers(ch), func(change func(*choices.Choice)) bool { return passes(i, change) }) {
				p.Needs[i] = alike.Itself
			}
		case ch.Kind == choices.Text:
			p.Needs[i] = alike.Itself
			for _, r := range ch.Tag {
				if _, done := p.Runes[r]; !done {
					p.Runes[r] = alike.KindThatFails(r, func(s rune) bool {
						return !passes(i, func(ch *choices.Choice) { ch.Tag = strings.ReplaceAll(ch.Tag, string(r), string(s)) })
					})
				}
			}
		case ch.Kind == choices.Pick:
			p.Needs[i] = alike.Itself
		default:
			p.Needs[i] = alike.NotSimplest
			if slices.ContainsFunc(fartherAnswers(ch), func(n int64) bool { return passes(i, func(ch *choices.Choice) { ch.N = n }) }) {
				p.Needs[i] = alike.Itself
			}
		}
	}
	return p
}

// passesWith reports whether the value passes with another answer to its i-th choice. If it
// fails in another class, that tells something of a choice only if that is not the simplest:
// a larger value fails more often.
func (c *collector) passesWith(f *class, i int, change func(*choices.Choice)) bool {
	edited := append(choices.Tree(nil), f.tree...)
	change(&edited[i])
	v, made, err := c.tryRemake(edited)
	if err != nil {
		return false
	}
	verdict, key, ok := c.try(v, made)
	failsSo := verdict == outcome.Failed && (f.tree[i].IsSimplest() || key == f.key)
	return ok && verdict != outcome.Invalid && !failsSo
}

// try runs the property on the value of a tree. It returns the class of a failure. It reports false
// if the run has not returned.
func (c *collector) try(v any, t choices.Tree) (verdict outcome.Verdict, key string, ok bool) {
	run := c.run(c.s, v, c.s.hangAt, minimizing)
	if run == nil {
		return verdict, "", false
	}
	defer c.s.recycle(run)
	if verdict = run.outcome().Verdict; verdict == outcome.Failed {
		key = c.keyOf(run, t)
	}
	return verdict, key, true
}

// avoid returns an edited tree of a value that has a known pattern: a replay of it, with a
// random source, makes one that may not. It reports false if the value has none.
func (c *collector) avoid(t choices.Tree) (choices.Tree, bool) {
	c.kinds.Note(t)
	for _, f := range c.list {
		if p := f.patternOf(t); p != nil && f.flaky == "" {
			return p.Without(t, c.r.Uint64()), true
		}
	}
	return t, false
}
