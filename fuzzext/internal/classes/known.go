// Package classes tells failures of a property apart.
package classes

import (
	"encoding/json"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// Known has the classes of the failures of a property. A class is the place of a failure and what
// the property says there ([Message]), or the type of a panic. In a place with more than
// [engine.MaxMessages] classes, or whose message varies for one value, messages do not count.
//
// A class has one to MaxVariants variants: minimal values that need different things.
//
//  1. A variant explains a failing value of its class that has all that the variant needs.
//  2. A failing value that no variant explains is minimized, among values that none explains.
//  3. The result is a new variant, in place of those that need all that it needs, and more.
type Known struct {
	Host
	List []*Class

	nested map[uint32]bool // slots of sequences that are in elements of their own
}

// MaxVariants is how many variants a class has at most.
const MaxVariants = 5

const (
	maxClasses = 50  // in all
	maxStopped = 30  // searches for variants of a class that are stopped early
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

	stopped int // searches for variants
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
	Words           string // Key, with words that may be the value's; or ""
	Whole           bool   // the key tells all
	Of              any    // what it is to the host
}

// A Minimal is the result of minimizing a failure.
type Minimal struct {
	Tree    choices.Tree
	Run     *Result // on its value
	Stopped string  // what has ended the search early, or ""
	Of      any     // what it is to the host

	needs  map[uint64]int
	united bool // it is of the class of all failures in its place
}

// Classify returns the class of the failure of a run on the value of a tree if nothing about it is
// new, or else a minimal value of a new variant. It returns neither if it has not looked.
func (k *Known) Classify(t choices.Tree, run *Result) (*Class, *Minimal) {
	k.note(t)
	known := k.Class(run)
	if known == nil && len(k.List) >= maxClasses || known != nil && known.explains(k.features(t)) {
		return known, nil
	}
	c := known
	if c == nil {
		if c = run.class(); k.varies(t, run) {
			c = placeClass(run.Place)
		}
	}
	m := k.Minimize(t, run, c.has, func(t choices.Tree) bool { return !c.explains(k.features(t)) })
	if known != nil && m.Stopped != "" { // there may be less to it
		known.stopped++
		return known, nil
	}
	if !m.Run.Whole {
		m.needs = k.needs(m.Tree)
	}
	m.united = c.United
	return nil, &m
}

// varies reports whether the property fails with other messages in the place of a failing run, on
// the same value.
func (k *Known) varies(t choices.Tree, run *Result) bool {
	const runs = 3
	for n := 0; n < runs && !run.Whole && run.Place != ""; n++ {
		again := k.run(t)
		if again != nil && again.Failed && again.Place == run.Place && !run.class().has(again) {
			return true
		}
	}
	return false
}

// placeClass returns the class of all failures in a place.
func placeClass(place string) *Class { return &Class{Key: place, Place: place, United: true} }

// Add adds the variant of a minimal value that Classify has returned, and that may have failed in a
// flaky way. [Class.Variants] of its class has no more those in whose place it is.
func (k *Known) Add(m *Minimal, flaky bool) *Variant {
	v := &Variant{Tree: m.Tree, Needs: m.needs}
	c := m.Run.class()
	if m.united {
		c = placeClass(c.Place)
	}
	c.Whole = c.Whole || flaky
	k.add(v, c)
	v.Name = v.Class.Key
	if !v.Class.Whole {
		v.Name += fmt.Sprintf(" #%04x", uint16(hash.FNV64(choices.Encode(v.Tree))))
	}
	return v
}

// Class returns the class of the failure of a run, or nil.
func (k *Known) Class(run *Result) *Class {
	if i := slices.IndexFunc(k.List, func(c *Class) bool { return c.has(run) }); i >= 0 {
		return k.List[i]
	}
	return nil
}

// add adds a variant to the known class that has the failures of c, or else to c.
func (k *Known) add(v *Variant, c *Class) {
	known := k.Class(&Result{Place: c.Place, Key: c.Key, Words: c.Words, Whole: c.Whole})
	if known == nil {
		known, k.List = c, append(k.List, c)
	}
	known.Whole = known.Whole || c.Whole
	known.add(v, k.features(v.Tree))
	k.unite(known)
}

// unite makes the classes in the place of c one, if there are too many, or if they are elsewhere.
func (k *Known) unite(c *Class) {
	var variants []*Variant
	others, there := []*Class{}, 0
	for _, d := range k.List {
		if d.Place != c.Place || d.Whole {
			others = append(others, d)
			continue
		}
		variants = append(variants, d.Variants...)
		there++
	}
	if there <= engine.MaxMessages && (there == 1 || !c.United) {
		return
	}
	one := placeClass(c.Place)
	sortVariants(variants)
	for _, v := range variants {
		one.add(v, k.features(v.Tree))
	}
	k.List = append(others, one)
}

// class returns a class that has the failure of a run.
func (r *Result) class() *Class {
	return &Class{Key: r.Key, Place: r.Place, Words: r.Words, Whole: r.Whole}
}

// has reports whether the failure of a run is of a class. That is so, too, if the first failure of
// the class has said the same to the word: some of the words may be a value's by chance.
func (c *Class) has(run *Result) bool {
	return c.Key == run.Key || c.Place == run.Place && !run.Whole &&
		(c.United || c.Words != "" && c.Words == run.Words)
}

// explains reports whether a variant explains the failure of a value with these features, or no
// variant is looked for any more.
func (c *Class) explains(has map[uint64]int) bool {
	if c.Whole && len(c.Variants) > 0 || len(c.Variants) >= MaxVariants || c.stopped >= maxStopped {
		return true
	}
	return slices.ContainsFunc(c.Variants, func(v *Variant) bool { return within(v.Needs, has) })
}

// add adds a variant, whose value has these features, unless another one explains it.
func (c *Class) add(v *Variant, has map[uint64]int) {
	if v.Class = c; c.explains(has) {
		return
	}
	c.Variants = slices.DeleteFunc(c.Variants, func(w *Variant) bool {
		return within(v.Needs, w.Needs)
	})
	c.Variants = append(c.Variants, v)
	sortVariants(c.Variants)
}

func sortVariants(all []*Variant) {
	slices.SortStableFunc(all, func(v, w *Variant) int { return mutate.Compare(v.Tree, w.Tree) })
}

// within reports whether there is as much of each feature as needed.
func within(needs, has map[uint64]int) bool {
	for f, n := range needs {
		if has[f] < n {
			return false
		}
	}
	return true
}

// told is what one process tells another of a variant.
type told struct {
	Class
	Entry []byte
	Needs map[uint64]int
}

// Data returns what another process must know of a variant.
func (v *Variant) Data() []byte {
	b, err := json.Marshal(told{*v.Class, choices.Encode(v.Tree), v.Needs})
	if err != nil {
		panic(err) // it has nothing that cannot be written
	}
	return b
}

// Learn makes a variant known that another process has found. It ignores data that describes none.
func (k *Known) Learn(name string, data []byte) {
	var t told
	if json.Unmarshal(data, &t) != nil || t.Key == "" {
		return
	}
	if _, tree, err := values.Make(nil, k.Gen(), choices.FromBytes(t.Entry)); err == nil {
		k.note(tree)
		k.add(&Variant{Name: name, Tree: tree, Needs: t.Needs}, &t.Class)
	}
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
