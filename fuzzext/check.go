package fuzzext

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
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
//  3. on values made at random, a quarter of them mutants of the others: until
//     1000 were valid or, once a second has passed, 100. -short divides both
//     numbers by ten, -fuzzext.checks=n makes it n whatever -short says, and
//     -fuzzext.time=d has it run for a time d.
//
// A failure ends it. The value is minimised and reported as by [Valid], and written
// to testdata/fuzzext, in a directory of the test's name, so that the next go test
// runs it first. Files there may be put under version control, and removed.
//
// The values are others in each run. The report of a failure says with which
// -fuzzext.seed they are the same: on every platform, as long as the generator stays
// the same. One that makes every int, uint or uintptr does not: with 32 bits it has
// other bounds. Under go test -v, Check logs how many values were valid and how many
// distinct, and the share of each [T.Label].
//
// A value is invalid if g rejects it ([bigen.ErrRejected]) or prop does not assume
// it ([T.Assume]). If fewer than one in twenty are valid, Check fails: the property
// has hardly been tested.
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

	valid, rejected, invalid int                 // of the random values
	distinct                 map[uint64]struct{} // hashes of their encodings, not all of many
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
	}
	for c.seed == 0 {
		c.seed = rand.Uint64()
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	c.stream = h.Sum64()
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
	c := newChecking(t.Name())
	x.check = c
	var err error
	if c.saved, err = corpus.Read(filepath.Join(packageDir, c.dir)); err != nil {
		t.Errorf("fuzzext.Check: a saved failure cannot be read, restore or remove the file: %v", err)
	}
	if x.examples != nil {
		values, ok := x.examples.([]V)
		if !ok {
			t.Fatalf("fuzzext.Check: Examples has values of type %T, but the generator makes %T: name the type, as in Examples[int64](1)", x.examples, values)
		}
		for i, v := range values {
			tree, err := bigen.Choices(x.gen, v)
			if err != nil {
				t.Fatalf("fuzzext.Check: example %d of %d: %v", i+1, len(values), err)
			}
			c.examples = append(c.examples, tree)
		}
	}

	s := newTrial(t)
	defer s.end()
	c.limit(s)
	if !x.each(s, x.source, func(i int, r *T) bool { return c.after(s, i, r) }) {
		return
	}
	if len(c.failed) > 0 {
		first := c.failed[0]
		_, tree, err := bigen.Run(x.gen, x.source(first.index))
		if err != nil {
			t.Fatalf("fuzzext.Check: a value that failed is not made again: %v: the generator is not deterministic", err)
		}
		x.fail(s, tree, first)
		for _, other := range c.failed[1:] {
			fmt.Fprintf(t.Output(), "%s fails, too\n", filepath.ToSlash(filepath.Join(c.dir, c.saved[other.index].Name)))
		}
		return
	}
	if n := c.valid + c.invalid + c.rejected; n >= attempts && c.valid*attempts < n {
		t.Errorf("fuzzext.Check: %s", c.few(n))
	}
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + c.summary())
	}
}

// maxDistinct bounds how many distinct values are counted.
const maxDistinct = 1 << 20

// note counts a value, if it is not among those counted.
func (c *checking) note(t choices.Tree) {
	if len(c.distinct) < maxDistinct {
		c.distinct[hash(choices.Encode(t))] = struct{}{}
	}
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
	random := i >= len(c.saved)+len(c.examples)
	switch {
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
	return c.valid < want && (c.valid+c.invalid+c.rejected < want*attempts || flags.checks > 0 && flags.seed != 0)
}
