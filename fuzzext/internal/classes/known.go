// Package classes tells failures of a property apart.
package classes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// Known tells failures of a property apart. Each has a key: its place and what the property says
// there ([MessageKey]), or of a panic the functions of its stack. Failures of one key are of
// several classes if their minimal values need different things ([Need]):
//
//  1. Of a value that fails, what known failures need is taken away, one thing of each. If the
//     value passes then, its failure is known.
//  2. Otherwise it is minimized among values that lack what known failures need.
//  3. The result is of a new class, unless it is a variation of a known one.
//
// After maxDull minimal values in a row that were known, no other failure of the key is looked at.
// In a place with more than [engine.MaxMessages] messages, messages do not count.
type Known struct {
	Host
	List []*Class

	r         *rand.Rand
	recursive map[uint16]bool            // families of picks that occur below themselves
	messages  map[string]map[string]bool // by place
	united    map[string]bool            // places whose messages do not count
	alias     map[string]string          // keys that turned out to be others
	dull      map[string]dull            // by key
}

const (
	maxClasses = 50 // in all
	maxDull    = 30
	maxAlike   = 3   // classes of a key that differ in one integer or text
	maxRepairs = 8   // things that are taken away
	maxProbes  = 200 // runs that tell what a value needs
	maxBetween = 40  // runs that tell whether what differs matters
	maxNeeds   = 8   // besides elements, of a value that may be told from others like it
	maxOthers  = 6   // elements that tell whether one decides
	maxSteps   = 50  // runs that tell whether a smaller value fails in a known class
)

// A Class is a class of failures.
type Class struct {
	Name  string // that no other has
	Key   string
	Place string
	Needs [][]Need // of its minimal values
	// all failures of the key are of the class: the property names it, a panic, or a flaky one
	Whole bool
	Entry []byte       // the bytes of its tree
	Tree  choices.Tree `json:"-"` // of its minimal value

	of *Class // that it belongs to, since only their messages differ, or nil
}

// Data returns what another process must know of a class.
func (c *Class) Data() []byte {
	c.Entry = choices.Encode(c.Tree)
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // a class has nothing that cannot be written
	}
	return b
}

// Learn makes a class known that another process has found. It ignores data that describes no
// class.
func (k *Known) Learn(name string, data []byte) {
	c := &Class{}
	if json.Unmarshal(data, c) != nil || c.Name != name || !c.Whole && len(c.Needs) == 0 {
		return
	}
	var err error
	if _, c.Tree, err = values.Make(nil, k.Gen(), choices.FromBytes(c.Entry)); err == nil {
		k.note(c.Tree)
		k.List = append(k.List, c)
		switch k.hear(&Result{Place: c.Place, Key: c.Key, Whole: c.Whole}); {
		case c.Whole:
		case c.Key == c.Place:
			k.united[c.Place] = true
		case k.united[c.Place]: // but not when the other process found it
			c.Key, c.Needs = c.Place, [][]Need{k.needs(c.Place, c.Tree)}
		}
	}
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
	Whole           bool   // the key tells all
	Named           bool   // by the property
	Of              any    // what it is to the host
}

// A Minimal is the result of minimizing a failure.
type Minimal struct {
	Tree    choices.Tree
	Run     *Result // on its value
	Stopped string  // what has ended the search early, or ""
	Of      any     // what it is to the host

	needs []Need // what it needs to fail, once it has been judged
}

// NewKnown returns a Known without classes.
func NewKnown(h Host, seed uint64) *Known {
	return &Known{
		Host: h, r: rand.New(rand.NewPCG(seed, ^seed)),
		recursive: map[uint16]bool{}, messages: map[string]map[string]bool{},
		united: map[string]bool{}, alias: map[string]string{}, dull: map[string]dull{},
	}
}

// dull says how many minimal values in a row were of known classes, and the class of the last one.
type dull struct {
	times int
	last  *Class
}

// Classify returns the class of the failure of a run on the value of a tree if it is known, or else
// a minimal value that fails in a new class. It returns neither if it has not looked.
func (k *Known) Classify(t choices.Tree, run *Result) (*Class, *Minimal) {
	c, m := k.classify(t, run)
	if c != nil && c.of != nil {
		c = c.of
	}
	return c, m
}

func (k *Known) classify(t choices.Tree, run *Result) (*Class, *Minimal) {
	k.note(t)
	k.hear(run)
	key := k.Key(run)
	known := k.Find(key, t)
	if known != nil && known.Whole {
		return known, nil
	}
	switch d := k.dull[key]; {
	case d.times >= maxDull:
		return d.last, nil
	case len(k.List) >= maxClasses:
		return known, nil
	}
	if known != nil {
		if t, run = k.repaired(t, key); run == nil {
			return known, nil
		}
		if key = k.Key(run); k.Find(key, t) != nil {
			return known, nil
		}
	}
	m := k.Minimize(t, run,
		func(again *Result) bool { return k.Key(again) == key },
		func(t choices.Tree) bool { return k.Find(key, t) == nil })
	k.note(m.Tree)
	c := k.variationOf(key, &m)
	if k.Key(m.Run) != key { // messages of the place have ceased to count
		return k.classify(m.Tree, m.Run)
	}
	if c == nil && m.Stopped != "" {
		c = known // there is less to it, for all that is known
	}
	if c != nil {
		k.dull[key] = dull{k.dull[key].times + 1, c}
		return c, nil
	}
	delete(k.dull, key)
	return nil, &m
}

// Add makes the class of a minimal value known that Judge has returned, and that may have failed in
// a flaky way.
func (k *Known) Add(m *Minimal, flaky bool) *Class {
	c := &Class{Key: k.Key(m.Run), Place: m.Run.Place, Whole: m.Run.Whole || flaky, Tree: m.Tree}
	c.Name = c.Key
	if !c.Whole {
		c.Needs = [][]Need{m.needs}
		c.Name = fmt.Sprintf("%s #%04x", c.Key, uint16(hash.FNV64(choices.Encode(m.Tree))))
	}
	k.List = append(k.List, c)
	return c
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
	if said[run.Key] = true; len(said) > engine.MaxMessages {
		k.unite(run.Place)
	}
}

// unite makes the classes of a place classes of one key, and leaves out those that are then known.
func (k *Known) unite(place string) {
	k.united[place] = true
	all := k.List
	k.List = nil
	slices.SortStableFunc(all, func(a, b *Class) int { return mutate.Compare(a.Tree, b.Tree) })
	for _, c := range all {
		if c.Place == place && !c.Whole {
			if c.Key = place; k.Find(place, c.Tree) != nil {
				continue
			}
			c.Needs = [][]Need{k.needs(place, c.Tree)}
		}
		k.List = append(k.List, c)
	}
}

// Key returns the key of the failure of a run.
func (k *Known) Key(run *Result) string {
	if !run.Whole && k.united[run.Place] {
		return run.Place
	}
	return cmp.Or(k.alias[run.Key], run.Key)
}

// Find returns a class with a key which a value has what it needs to be of, or nil.
func (k *Known) Find(key string, t choices.Tree) *Class {
	for _, c := range k.List {
		if c.Key == key && (c.Whole || k.metBy(c, t) != nil) {
			return c
		}
	}
	return nil
}

// metBy returns what a value has of what a class needs, or nil.
func (k *Known) metBy(c *Class, t choices.Tree) (edit func() choices.Tree) {
	for _, needs := range c.Needs {
		if met := k.met(needs, t); met != nil {
			return func() choices.Tree { return broken(needs, met, t, k.r) }
		}
	}
	return nil
}

// repaired takes from a value what the known failures of a key need. It returns a nil run if the
// value fails no more.
func (k *Known) repaired(t choices.Tree, key string) (choices.Tree, *Result) {
	for range maxRepairs {
		c := k.Find(key, t)
		if c == nil || c.Whole {
			break
		}
		_, made, err := values.Make(nil, k.Gen(), choices.Replay(k.metBy(c, t)(), k.r))
		if err != nil {
			return nil, nil
		}
		t = made
	}
	if k.Find(key, t) != nil {
		return nil, nil
	}
	run := k.run(t)
	if run == nil || !run.Failed {
		return nil, nil
	}
	return t, run
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

// needs returns what a minimal value of a key needs. If the value fails in another class, that
// tells something of a choice only if the choice is not the simplest: a larger value fails more
// often.
func (k *Known) needs(key string, t choices.Tree) []Need {
	left := maxProbes
	return k.needsOf(t, func(i int, change func(*choices.Choice)) bool {
		if left--; left < 0 {
			return false
		}
		edited := slices.Clone(t)
		change(&edited[i])
		run := k.run(edited)
		if run != nil && run.Failed {
			k.hear(run)
		}
		return run != nil && !run.Invalid && (!run.Failed || !t[i].IsSimplest() && k.Key(run) != key)
	})
}
