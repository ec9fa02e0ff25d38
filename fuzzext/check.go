package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
)

// Check runs a property on many values of g, without Go's fuzzer: it is a test, not
// a fuzz target.
//
//	func TestInsert(t *testing.T) {
//		fuzzext.Check(t, genBST, func(t *fuzzext.T, tree *Tree) {
//			if !tree.Insert(3).Find(3) {
//				t.Error("3 is lost")
//			}
//		})
//	}
//
// It runs prop
//
//  1. on the values that have failed before, which it keeps in testdata/fuzzext;
//  2. on those of the option [Examples];
//  3. on values made at random, three quarters of them anew ([choices.Varied]) and
//     a quarter mutants of those;
//  4. once a value has turned out invalid, because g rejects it ([bigen.ErrRejected])
//     or prop does not assume it ([T.Assume]), on values of which half are made by
//     a guide that learns, from all of them and from the examples, which choices
//     lead to valid values ([rl.Guide]), a quarter are mutants of valid ones (more,
//     as long as hardly any are valid), and a quarter are made anew as before. None
//     is run twice. With the option [Unique] those are preferred that differ in what
//     it says. What a generator asks after its first 512 questions gets the simplest
//     answers, but for mutants of larger values.
//
// It ends when 1000 of the random values were valid or, once a second has passed, or if
// fewer than one in twenty are valid, 100; earlier if there seem to be no others.
// -short divides both numbers by ten, -fuzzext.checks=n makes it n whatever -short
// says, and -fuzzext.time=d has it run for a time d.
//
// A failure ends it. The value is minimised and reported as by [Valid], and written
// to testdata/fuzzext, in a directory of the test's name, so that the next go test
// runs it first. Files there may be put under version control, and removed.
//
// The values are others in each run. The report of a failure says with which
// -fuzzext.seed they are the same: on every platform, as long as the test's name, the
// generator, what prop assumes, the examples, the key of [Unique] and the policy stay the
// same. A generator that makes every int, uint or
// uintptr does not: with 32 bits it has other bounds. Under go test -v, Check logs how
// many values were valid and how many of these distinct, whether it was guided, the share
// of each [T.Label], and which alternatives, of picks of more than two, no valid value has
// although others have them: there an example would help.
//
// If fewer than one in twenty are valid, and fewer than 100, Check fails: the property
// has hardly been tested. The generator should make more of them; or give [Examples],
// so that the first valid value is not left to luck.
//
// Check ends in good time before the deadline of the test ([testing.T.Deadline]). A
// run of prop that does not return until shortly before that is reported, with its
// value. A run that ends the process, by os.Exit or an error of the runtime,
// cannot be: -fuzzext.print shows the values.
//
// prop must be deterministic and must not keep state from one value to the next. It
// must use the T that it is given. Call Check once in a test or subtest; those may
// be parallel.
func Check[V any](t *testing.T, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	t.Helper()
	x := &execution[V]{gen: g, prop: prop, target: callingTarget(), call: callOf("Check"), options: newOptions(opts)}
	x.checkAll(t)
}

const (
	manyChecks = 1000
	someChecks = 100
	short      = 10 // divides both under -short
	enough     = time.Second

	// attempts is how many values are made for each that should be valid.
	attempts = 20
)

// checking is what one Check does.
type checking struct {
	dir      string // of saved failures, in the package
	seed     uint64 // as the flag has it
	stream   uint64 // seed of this test
	saved    []corpus.Entry
	examples []choices.Tree

	many, some int // valid values wanted, and those wanted in any case; 0 for no bound
	tired      atomic.Bool

	tags                     tags                // of guided values
	valued                   []int               // indices of examples that are valid
	guided                   bool                // there is a guidance
	spent                    bool                // there seem to be no other values
	repeats                  repeats             // of values made without guidance
	valid, rejected, invalid int                 // of the random values
	distinct                 map[uint64]struct{} // hashes of what the valid ones are unique by, not all of many
	labels                   map[string]int
	failed                   []*T
}

func newChecking(name string) *checking {
	c := &checking{
		dir:      filepath.Join("testdata", "fuzzext", safePath(name)),
		seed:     flags.seed,
		many:     manyChecks,
		some:     someChecks,
		labels:   map[string]int{},
		distinct: map[uint64]struct{}{},
		repeats:  repeats{made: map[uint64]struct{}{}},
	}
	for c.seed == 0 {
		c.seed = rand.Uint64()
	}
	c.stream = hash.FNV64(name)
	if flags.checks > 0 {
		c.many, c.some = flags.checks, flags.checks
	}
	if testing.Short() && flags.checks <= 0 {
		c.many, c.some = c.many/short, c.some/short
	}
	return c
}

// flags returns the flags that repeat the run.
func (c *checking) flags() string {
	s := fmt.Sprintf("-fuzzext.seed=%d", c.seed)
	if c.valid >= someChecks/short {
		s += fmt.Sprintf(" -fuzzext.checks=%d", c.valid+1)
	}
	return s
}

func (x *execution[V]) checkAll(t testing.TB) {
	t.Helper()
	if err := x.loadPolicy(); err != nil {
		t.Fatal(err)
	}
	if !running.begin(t.Name()) {
		t.Fatalf("fuzzext.Check: %s calls Check a second time, and both would save their failures under its name: call each in a subtest of its own, by t.Run", t.Name())
	}
	t.Cleanup(func() { running.end(t.Name()) })
	c := newChecking(t.Name())
	x.check = c
	var err error
	if c.saved, err = corpus.Read(filepath.Join(packageDir, c.dir)); err != nil {
		t.Errorf("fuzzext.Check: a saved failure cannot be read, restore or remove the file: %v", err)
	}
	c.examples = x.exampleTrees(t)

	s := newTrial(t)
	defer s.end()
	c.limit(s)
	if !x.each(s, x.source, func(i int, r *T) bool {
		x.learn(s, i, r)
		return c.after(s, i, r) && x.broken == ""
	}) {
		return
	}
	if x.broken != "" {
		t.Fatalf("fuzzext.Check: %s", x.broken)
	}
	x.savePolicy(t)
	if len(c.failed) > 0 {
		first := c.failed[0]
		tree, err := x.choicesOf(s, first.index, x.source)
		if err != nil {
			t.Fatalf("fuzzext.Check: a value that failed is not made again: %v: the generator is not deterministic", err)
		}
		if testing.Verbose() {
			t.Log("fuzzext.Check: " + c.summary())
		}
		x.fail(s, tree, first)
		for _, other := range c.failed[1:] {
			fmt.Fprintf(t.Output(), "%s fails, too\n", filepath.ToSlash(filepath.Join(c.dir, c.saved[other.index].Name)))
		}
		return
	}
	if c.rare() && c.valid < min(c.some, someChecks) {
		t.Errorf("fuzzext.Check: %s", c.few())
	}
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + c.summary())
	}
}

// running holds the names of the running tests that have called Check.
var running testNames

type testNames struct {
	mu    sync.Mutex
	names map[string]bool
}

// begin reports whether the name is new.
func (n *testNames) begin(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names[name] {
		return false
	}
	if n.names == nil {
		n.names = map[string]bool{}
	}
	n.names[name] = true
	return true
}

func (n *testNames) end(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}

// maxDistinct bounds how many distinct values are counted.
const maxDistinct = 1 << 20

// note counts a valid value that is unique by a hash, if it is not among those counted.
func (c *checking) note(unique uint64) {
	if len(c.distinct) < maxDistinct {
		c.distinct[unique] = struct{}{}
	}
}

// repeats tells which random values have been made before.
type repeats struct {
	made map[uint64]struct{} // hashes of choices, not all of many
	row  int                 // how many values in a row had been made before
}

// repeatedChoices is how many choices a value may have that counts as made before. Larger
// ones hardly repeat, and hashing them costs.
const repeatedChoices = 16

// has records the choices of a value and reports whether they had been made before.
func (r *repeats) has(t choices.Tree) bool {
	if len(t) > repeatedChoices {
		r.row = 0
		return false
	}
	h := hash.FNV64(choices.Encode(t))
	if _, ok := r.made[h]; ok {
		r.row++
		return true
	}
	if r.row = 0; len(r.made) < maxMade {
		r.made[h] = struct{}{}
	}
	return false
}

// given is how many values come before those that are made at random.
func (c *checking) given() int { return len(c.saved) + len(c.examples) }

// random is how many values have been made at random.
func (c *checking) random() int { return c.valid + c.invalid + c.rejected }

// rare reports whether fewer than 1 in 20 of them were valid.
func (c *checking) rare() bool {
	n := c.random()
	return n >= attempts && c.valid*attempts < n
}

// limit bounds the time of the trial.
func (c *checking) limit(s *trial) {
	var end time.Time
	if !s.hangAt.IsZero() { // leave time to minimise
		end = s.hangAt.Add(-min(s.hangAt.Sub(s.start)/3, 2*minimizeTime))
	}
	switch {
	case flags.time > 0:
		end = earlier(s.start.Add(flags.time), end)
		c.many = 0
	case c.some < c.many:
		s.timers = append(s.timers, time.AfterFunc(enough, func() { c.tired.Store(true) }))
	}
	if !end.IsZero() {
		s.fillAt(end)
	}
}

// after takes note of a run and reports whether there is to be another.
func (c *checking) after(s *trial, i int, r *T) bool {
	random := i >= c.given()
	switch {
	case c.spent && (r == nil || !r.failed):
		return false
	case r == nil:
		if random {
			c.rejected++
		}
	case r.failed:
		c.failed = append(c.failed, r)
		return i+1 < len(c.saved)
	case r.invalid:
		if random {
			c.invalid++
		}
		s.recycle(r)
	default:
		if random {
			c.valid++
			if r.kept != nil {
				c.count(r.kept.labels)
			}
		}
		s.recycle(r)
	}
	if len(c.failed) > 0 {
		return i+1 < len(c.saved)
	}
	if c.many == 0 {
		return true
	}
	want := c.many
	if c.tired.Load() {
		want = c.some
	}
	most := want * attempts
	if c.rare() {
		want = c.some
	}
	return c.valid < want && (c.random() < most || flags.checks > 0 && flags.seed != 0)
}
