// Package classes collects the failures of a Check that continues after a failure.
package classes

import (
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/alike"
	"github.com/espalier-go/espalier/fuzzext/internal/answers"
	"github.com/espalier-go/espalier/fuzzext/internal/entry"
	"github.com/espalier-go/espalier/fuzzext/internal/explain"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/engine"
)

// Classes collects failures: each class
// once, minimized within its class. Failures of one class count as several if
// their minimal values need different choices. To find these,
//
//  1. a failing value is minimized among values that have no known pattern of its class;
//  2. a minimal value that differs from a known one as neighbors do widens its pattern;
//  3. one that fails since a part of it does, alone, in a known class, is of that class;
//  4. the pattern of another one is found by trying other answers for each of its choices;
//  5. there are no more of a class if several of them have been seen in one value only: then
//     patterns do not tell failures of this class apart;
//  6. of most random values that have a known pattern, what the pattern needs is changed.
type Classes struct {
	Host
	r        *rand.Rand
	list     []*class
	tried    map[string]int // values minimized, by key
	kinds    alike.Fields
	wordings alike.Wordings
	failed   int // values
	others   int // of these, those that have not been looked at

	explained int // classes
}

// A Host is the Check whose failures are collected.
type Host interface {
	// Subject returns the generator, the package in which literals stand, and whether all failures
	// are of one class.
	Subject() (gen bigen.Gen[any], pkg string, any bool)

	// Run runs the property on the value of a tree. It returns nil if the run has not returned.
	Run(v any, t choices.Tree) *Run

	// Minimize looks for the simplest value that fails as same says, among those that allowed
	// allows.
	Minimize(t choices.Tree, first *Run, same func(*Run) bool, allowed func(choices.Tree) bool) Minimal

	// Flaky says why the value of a tree need not fail again, or returns "".
	Flaky(t choices.Tree) string

	// Explain says which parts of a value matter, whose failure is of a class.
	Explain(t choices.Tree, class string) explain.Explanation

	// SaveFirst saves a value that is about to be minimized. The function that it returns removes
	// the file if the minimal value has been saved as another one, and otherwise reports whether
	// it is new.
	SaveFirst(t choices.Tree) (done func(path string) (isNew bool))

	// Save saves a value, and returns the file.
	Save(t choices.Tree) (file string, isNew bool, err error)

	// Forget removes a file.
	Forget(file string)

	// Rerun and Repeat return commands: to run a file again, and to make the same random values.
	Rerun(file string, hangs bool) string
	Repeat(hangs bool) string

	// Left returns how many runs have been left behind, and whether that has ended the Check.
	Left() (n int, ended bool)
}

// A Run is what is left of a run of the property.
type Run struct {
	Failed, Invalid bool
	Place           string // of the failure
	Coarse          string // its class, if messages do not matter
	Class           string // its class
	WithEchoes      string // its class if what seems to be an echo of the value is none; or ""
	Log             func() string
	Hang            *Hang // of a run that has not returned
	Of              any   // what it is to the host
}

// A Hang is a run that has not returned after some time.
type Hang struct {
	At         stack.Where
	After, CPU time.Duration
}

// A Minimal is the result of minimizing a failure.
type Minimal struct {
	Tree    choices.Tree
	Run     *Run   // on its value
	Stopped string // what has ended the search early, or ""
}

// A class is a class of failures.
type class struct {
	Minimal
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

// New returns the classes of a Check.
func New(h Host, seed uint64) *Classes {
	return &Classes{Host: h, r: rand.New(rand.NewPCG(seed, ^seed)), tried: map[string]int{}, wordings: alike.Wordings{}}
}

// Add adds the failure of a run on the value of a tree, which may be one that was given.
func (c *Classes) Add(tree choices.Tree, run *Run, given bool) {
	tree = slices.Clone(tree)
	c.kinds.Note(tree)
	c.failed++
	if run.Hang != nil {
		c.addHang(tree, run)
		return
	}
	key, place := c.keyOf(run), run.Place
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
		minimal := c.SaveFirst(tree)
		m := c.Minimize(tree, run, c.likes(run, key), func(t choices.Tree) bool { return c.find(key, t) == nil })
		key = c.keyOf(m.Run)
		if c.isKnown(key, m.Tree) {
			minimal("known")
			continue
		}
		found := &class{Minimal: m, key: key, place: place, given: given, named: run.Coarse != place}
		if m.Stopped == "" {
			found.flaky = c.Flaky(m.Tree)
		}
		found.pattern = c.patternOf(found)
		found.file, found.isNew, found.err = c.Save(m.Tree)
		found.isNew = minimal(found.file) || found.isNew
		c.list = append(c.list, found)
		if found.flaky != "" || found.named || found.pattern.In(tree) {
			found.seen++
			return
		}
	}
	c.list[len(c.list)-1].seen++
}

// keyOf returns the class of the failure of a run.
func (c *Classes) keyOf(run *Run) string {
	if _, _, any := c.Subject(); any {
		return ""
	}
	key := run.Class
	if slices.ContainsFunc(c.list, func(f *class) bool { return f.key == run.WithEchoes }) {
		key = run.WithEchoes
	}
	return c.wordings.Key(run.Place, key)
}

// likes returns a function that says whether another run has failed in the same class as the one
// with a key. It may say the same if what both have in common with their values is no echo.
func (c *Classes) likes(run *Run, key string) func(*Run) bool {
	return func(again *Run) bool {
		return c.keyOf(again) == key || run.WithEchoes != "" && again.WithEchoes == run.WithEchoes
	}
}

// find returns the class with a key to whose pattern a value belongs, or nil.
func (c *Classes) find(key string, t choices.Tree) *class {
	for _, f := range c.list {
		if f.key == key && (f.flaky != "" || f.named || f.has(t)) { // hangs have other keys
			return f
		}
	}
	return nil
}

// full reports whether there are so many classes that no other one is looked for.
func (c *Classes) full(key, place string, given bool) bool {
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
func (c *Classes) patternOf(f *class) *alike.Pattern {
	p := &alike.Pattern{Tree: f.Tree, Needs: make([]alike.Need, len(f.Tree)), Runes: map[rune]int{}, Families: &c.kinds}
	left := maxProbes
	passes := func(i int, change func(*choices.Choice)) bool {
		left--
		return left >= 0 && c.passesWith(f, i, change)
	}
	for i := range f.Tree {
		ch := &f.Tree[i]
		switch {
		case ch.Kind > choices.Text || !ch.Asked():
		case ch.IsSimplest():
			if slices.ContainsFunc(answers.Others(ch), func(change func(*choices.Choice)) bool { return passes(i, change) }) {
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
			if slices.ContainsFunc(answers.Farther(ch), func(n int64) bool { return passes(i, func(ch *choices.Choice) { ch.N = n }) }) {
				p.Needs[i] = alike.Itself
			}
		}
	}
	return p
}

// passesWith reports whether the value passes with another answer to its i-th choice. If it
// fails in another class, that tells something of a choice only if that is not the simplest:
// a larger value fails more often.
func (c *Classes) passesWith(f *class, i int, change func(*choices.Choice)) bool {
	edited := append(choices.Tree(nil), f.Tree...)
	change(&edited[i])
	v, made, err := c.make(edited)
	if err != nil {
		return false
	}
	run := c.Run(v, made)
	return run != nil && !run.Invalid && (!run.Failed || !f.Tree[i].IsSimplest() && c.keyOf(run) != f.key)
}

// Avoid returns an edited tree of a value that has a known pattern: a replay of it, with a
// random source, makes one that may not. It reports false if the value has none.
func (c *Classes) Avoid(t choices.Tree) (choices.Tree, bool) {
	c.kinds.Note(t)
	for _, f := range c.list {
		if p := f.patternOf(t); p != nil && f.flaky == "" {
			return p.Without(t, c.r.Uint64()), true
		}
	}
	return t, false
}

// make makes the value of a tree.
func (c *Classes) make(t choices.Tree) (v any, made choices.Tree, err error) {
	gen, _, _ := c.Subject()
	return entry.Make(gen, choices.Replay(t, nil))
}
