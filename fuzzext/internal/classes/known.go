// Package classes tells failures of a property apart.
package classes

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// Known has the classes of the failures of a property. A class is the place of a failure and what
// the property says there ([Keys.MessageKey]), or the type of a panic. In a place with more than
// [engine.MaxMessages] messages, messages do not count.
//
// A class has one to MaxVariants variants: minimal values that need different things.
//
//  1. Of a failing value that has what a variant of its class needs, one thing is taken away, for
//     each such variant. If the value passes then, nothing about it is new.
//  2. Otherwise it is minimized, among values that lack what variants need.
//  3. The result is a new variant, in place of those that need all that it needs, and more.
//
// After maxDull minimal values in a row about which nothing was new, a class is complete.
type Known struct {
	Host
	List []*Class

	r         *rand.Rand
	recursive map[uint16]bool            // families of picks that occur below themselves
	nested    map[[2]uint64]bool         // sequences that do
	messages  map[string]map[string]bool // by place
	united    map[string]bool            // places whose messages do not count
	spelled   map[string]string          // keys, by places and words
}

// MaxVariants is how many variants a class has at most.
const MaxVariants = 5

const (
	maxClasses = 50 // in all
	maxDull    = 30
	maxRepairs = 8   // things that are taken away
	maxProbes  = 200 // runs that tell what a value needs
)

// A Class is a class of failures.
type Class struct {
	Key, Place string
	Words      string // of the first failure, see [Result]
	// All failures of the key are of the only variant: the property names the class, or the failure
	// is flaky.
	Whole    bool
	United   bool       // messages do not count
	Variants []*Variant `json:"-"` // the simplest first

	dull int // minimal values in a row about which nothing was new
}

// A Variant is a minimal value of a class.
type Variant struct {
	Name  string // that no other has
	Class *Class
	Tree  choices.Tree
	Needs map[uint64]int // how often it needs each feature
}

// A Host runs a property.
type Host interface {
	// Gen returns the generator.
	Gen() bigen.Gen[any]

	// RunOn runs the property on the value of a tree. It returns nil if the run has not returned.
	RunOn(v any, t choices.Tree) *Result

	// Minimize looks for the simplest value that fails as same says, among those that allowed
	// allows.
	Minimize(
		t choices.Tree, first *Result, same func(*Result) bool, allowed func(choices.Tree) bool,
	) Minimal
}

// A Result is what is left of a run of the property.
type Result struct {
	Failed, Invalid bool
	Place           string // of the failure
	Key             string // what tells it from others
	Words           string // what Key has been made of, with words that may be the value's; or ""
	Whole           bool   // the key tells all
	Of              any    // what it is to the host
}

// A Minimal is the result of minimizing a failure.
type Minimal struct {
	Tree    choices.Tree
	Run     *Result // on its value
	Stopped string  // what has ended the search early, or ""
	Of      any     // what it is to the host

	needs map[uint64]int
}

// NewKnown returns a Known without classes.
func NewKnown(h Host, seed uint64) *Known {
	return &Known{
		Host: h, r: rand.New(rand.NewPCG(seed, ^seed)), recursive: map[uint16]bool{}, nested: map[[2]uint64]bool{},
		messages: map[string]map[string]bool{}, united: map[string]bool{}, spelled: map[string]string{},
	}
}

// Classify returns the class of the failure of a run on the value of a tree if nothing about it is
// new, or else a minimal value of a new variant. It returns neither if it has not looked.
func (k *Known) Classify(t choices.Tree, run *Result) (*Class, *Minimal) {
	k.note(t)
	k.hear(run)
	of := k.Class(run) // the one that counts the value
	if of == nil && len(k.List) >= maxClasses || of != nil && of.complete() {
		return of, nil
	}
	if of != nil && of.in(k.features(t)) != nil {
		if t, run = k.repaired(of, t); run == nil || k.knows(t, run) {
			return of, nil
		}
	}
	key, c := k.Key(run), k.Class(run)
	m := k.Minimize(t, run,
		func(again *Result) bool { return k.Key(again) == key },
		func(t choices.Tree) bool { return c == nil || c.in(k.features(t)) == nil })
	k.note(m.Tree)
	if !m.Run.Whole {
		m.needs = k.needs(m.Tree)
	}
	switch {
	case k.Key(m.Run) != key: // messages of the place have ceased to count
		return k.Classify(m.Tree, m.Run)
	case c != nil && (m.Stopped != "" || k.knows(m.Tree, m.Run)): // there may be less to it
		c.dull++
		return c, nil
	}
	return nil, &m
}

// Add adds the variant of a minimal value that Classify has returned, and that may have failed in a
// flaky way. [Class.Variants] of its class has no more those in whose place it is.
func (k *Known) Add(m *Minimal, flaky bool) *Variant {
	v := &Variant{Tree: m.Tree, Needs: m.needs}
	k.add(v, &Class{
		Key: k.Key(m.Run), Place: m.Run.Place, Words: m.Run.Words, Whole: m.Run.Whole || flaky,
	})
	v.Name = v.Class.Key
	if !v.Class.Whole {
		v.Name += fmt.Sprintf(" #%04x", uint16(hash.FNV64(choices.Encode(v.Tree))))
	}
	return v
}

// add adds a variant to the known class with the key of c, or else to c.
func (k *Known) add(v *Variant, c *Class) {
	if i := slices.IndexFunc(k.List, func(d *Class) bool { return d.Key == c.Key }); i >= 0 {
		k.List[i].Whole = k.List[i].Whole || c.Whole
		c = k.List[i]
	} else {
		k.List = append(k.List, c)
	}
	has := k.features(v.Tree)
	if c.in(has) != nil { // another process has found it, too
		v.Class = c
		return
	}
	c.Variants = slices.DeleteFunc(c.Variants, func(w *Variant) bool {
		return within(v.Needs, func(f uint64) int { return w.Needs[f] })
	})
	v.Class, c.dull = c, 0
	c.Variants = append(c.Variants, v)
	slices.SortStableFunc(c.Variants, func(v, w *Variant) int { return mutate.Compare(v.Tree, w.Tree) })
	if len(c.Variants) > MaxVariants {
		c.Variants = c.Variants[:MaxVariants]
	}
}

// Data returns what another process must know of a variant.
func (v *Variant) Data() []byte {
	b, err := json.Marshal(told{*v.Class, choices.Encode(v.Tree), v.Needs})
	if err != nil {
		panic(err) // it has nothing that cannot be written
	}
	return b
}

type told struct {
	Class
	Entry []byte
	Needs map[uint64]int
}

// Learn makes a variant known that another process has found. It ignores data that describes none.
func (k *Known) Learn(name string, data []byte) {
	var t told
	if json.Unmarshal(data, &t) != nil || t.Key == "" {
		return
	}
	_, tree, err := values.Make(nil, k.Gen(), choices.FromBytes(t.Entry))
	if err != nil {
		return
	}
	k.note(tree)
	run := &Result{Place: t.Place, Key: t.Key, Words: t.Words, Whole: t.Whole}
	if k.hear(run); t.Key == t.Place && !t.Whole { // messages do not count there
		k.unite(t.Place)
	}
	t.Key = k.Key(run)
	k.add(&Variant{Name: name, Tree: tree, Needs: t.Needs}, &t.Class)
}

// hear counts the message of a failure.
func (k *Known) hear(run *Result) {
	said := k.messages[run.Place]
	if said == nil {
		said = map[string]bool{}
		k.messages[run.Place] = said
	}
	if run.Whole || k.united[run.Place] {
		return
	}
	if said[k.Key(run)] = true; len(said) > engine.MaxMessages {
		k.unite(run.Place)
	}
}

// unite makes the classes of a place one.
func (k *Known) unite(place string) {
	k.united[place] = true
	all := k.List
	k.List = nil
	for _, c := range all {
		if c.Place != place || c.Whole {
			k.List = append(k.List, c)
			continue
		}
		for _, v := range c.Variants {
			k.add(v, &Class{Key: place, Place: place, United: true})
		}
	}
}

// Key returns the key of the failure of a run. If a failure in its place has said the same, to the
// word, it is the key of that: some of the words may be the value's by chance.
func (k *Known) Key(run *Result) string {
	switch {
	case run.Whole || run.Words == "" && !k.united[run.Place]:
		return run.Key
	case k.united[run.Place]:
		return run.Place
	}
	spelled := run.Place + "\n" + run.Words
	if k.spelled[spelled] == "" {
		k.spelled[spelled] = run.Key
	}
	return k.spelled[spelled]
}

// Class returns the class of the failure of a run, or nil.
func (k *Known) Class(run *Result) *Class {
	key := k.Key(run)
	for _, c := range k.List {
		if c.Key == key {
			return c
		}
	}
	return nil
}

// complete reports whether nothing more is to be found out about a class.
func (c *Class) complete() bool {
	return c.Whole || len(c.Variants) >= MaxVariants || c.dull >= maxDull
}

// in returns the first variant of a class that needs nothing but what a tree with these features
// has, or nil.
func (c *Class) in(has map[uint64][]spot) *Variant {
	for _, v := range c.Variants {
		if within(v.Needs, func(f uint64) int { return len(has[f]) }) {
			return v
		}
	}
	return nil
}

// within reports whether there is as much of each feature as needed.
func within(needs map[uint64]int, has func(feature uint64) int) bool {
	for f, n := range needs {
		if has(f) < n {
			return false
		}
	}
	return true
}

// knows reports whether nothing is new about the failure of a run on the value of a tree.
func (k *Known) knows(t choices.Tree, run *Result) bool {
	c := k.Class(run)
	return c != nil && (c.complete() || c.in(k.features(t)) != nil)
}

// repaired takes from a value what the variants of a class need. It returns a nil run if the value
// fails no more.
func (k *Known) repaired(c *Class, t choices.Tree) (choices.Tree, *Result) {
	for range maxRepairs {
		has := k.features(t)
		v := c.in(has)
		if v == nil {
			break
		}
		_, made, err := values.Make(nil, k.Gen(), choices.Replay(k.without(v, has, t), k.r))
		if err != nil {
			return nil, nil
		}
		t = made
	}
	if run := k.run(t); run != nil && run.Failed {
		k.hear(run)
		return t, run
	}
	return nil, nil
}

// without returns a copy of a tree in which one feature is not any more as a variant needs it.
// Replay it with a random source.
func (k *Known) without(v *Variant, has map[uint64][]spot, t choices.Tree) choices.Tree {
	edited := slices.Clone(t)
	var needs []uint64
	for f := range v.Needs {
		needs = append(needs, f)
	}
	if len(needs) == 0 { // all values fail
		return edited
	}
	slices.Sort(needs)
	f := needs[k.r.IntN(len(needs))]
	for _, s := range has[f] {
		switch c := &edited[s.at]; {
		case c.Kind == choices.Pick || c.IsSimplest():
			c.Reroll = true
		case c.Kind != choices.Text:
			c.N = c.Origin()
		case s.of == anyRune:
			c.Tag = shortened(c.Tag, v.Needs[f]-1)
		default:
			c.Tag = strings.Map(func(r rune) rune {
				if r == s.of || slices.Contains(kindsOf(r), s.of) {
					return plainFor(0)
				}
				return r
			}, c.Tag)
		}
	}
	return edited
}

// run runs the property on the value of a tree. It returns nil if there is none, or if the run has
// not returned.
func (k *Known) run(t choices.Tree) *Result {
	v, made, err := values.Make(nil, k.Gen(), choices.Replay(t, nil))
	if err != nil {
		return nil
	}
	return k.Host.RunOn(v, made)
}
