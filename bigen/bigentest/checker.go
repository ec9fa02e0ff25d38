package bigentest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/panics"
	"github.com/espalier-go/espalier/internal/remade"
	"github.com/espalier-go/espalier/mutate"
)

// A checker runs one generator, guards its runs, and collects what it does wrong.
type checker struct {
	config
	gen   subject
	pkg   string // of the test
	found []finding
	tried int    // runs
	none  int    // runs that were rejected
	tries int    // values looked at around each
	huge  int    // values of more than huge choices
	lost  string // of a value made by choices that are not found backward
	r     *rand.Rand
	made  remade.Watch

	now     atomic.Pointer[activity]
	stopped atomic.Bool
}

// activity is what a checker is doing.
type activity struct {
	what string
	show func(*finding) // tells more
}

// maxTime bounds the CPU time of a run in one direction. A run that takes longer counts as
// endless.
var maxTime = 30 * time.Second

func newChecker(g subject, opts []Option) *checker {
	k := &checker{config: newConfig(opts), gen: g, tries: 2}
	k.r = rand.New(rand.NewPCG(k.seed, 2))
	return k
}

// value is what a run has made.
type value struct {
	v    any
	tree choices.Tree
	text string // literal of v right after the run, if that was taken
}

// check runs body, which must not use t, and reports what it has found.
func (k *checker) check(t testing.TB, name string, body func()) {
	t.Helper()
	k.pkg = callingPackage()
	done := make(chan bool, 1)
	go func() {
		returned := false
		defer func() { done <- returned }()
		body()
		returned = true
	}()
	tick := time.NewTicker(maxTime / 10)
	defer tick.Stop()
	var seen *activity
	var spent budget.Budget // since then
	for {
		select {
		case returned := <-done:
			if !returned {
				t.Errorf("%s: a function of the generator ends its goroutine, by t.FailNow or the like", name)
			}
			for _, f := range k.found {
				t.Errorf("%s: %v", name, f)
			}
			return
		case <-tick.C:
			a := k.now.Load()
			if a != seen {
				seen, spent = a, budget.New()
			}
			if a != nil && spent.Over(maxTime, 1) {
				k.stopped.Store(true)
				f := finding{law: totality, what: a.what + " takes more than " + maxTime.String()}
				a.show(&f)
				t.Fatalf("%s: %v", name, f)
			}
		}
	}
}

// callingPackage returns the path of the first package on the stack that is not
// this one.
func callingPackage() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	this := ""
	for {
		f, more := frames.Next()
		slash := strings.LastIndexByte(f.Function, '/') + 1
		name, _, _ := strings.Cut(f.Function[slash:], ".")
		pkg := f.Function[:slash] + name
		if this == "" {
			this = pkg
		}
		if pkg != this || !more {
			return pkg
		}
	}
}

// panicked is the error of what has panicked.
type panicked struct {
	text, at string
}

func (e *panicked) Error() string { return "panic: " + e.text + e.at }

// guard calls f and turns a panic into an error.
func (k *checker) guard(what string, show func(*finding), f func() error) (err error) {
	if k.stopped.Load() {
		runtime.Goexit()
	}
	k.now.Store(&activity{what, show})
	defer func() {
		k.now.Store(nil)
		if r := recover(); r != nil {
			err = &panicked{fmt.Sprint(r), whereFrom()}
		}
	}()
	return f()
}

// whereFrom returns the file and line of the user's function that has panicked,
// if it is one.
func whereFrom() string {
	for f := range panics.Frames() {
		if strings.HasPrefix(f.Function, "github.com/espalier-go/espalier/bigen.") {
			break
		}
		return " (at " + panics.Place(f) + ")"
	}
	return ""
}

// run runs the generator forward. A panic or a value without bounds is a finding,
// shown with the smallest choices that lead to it.
func (k *checker) run(src choices.Source) (value, error) {
	m, s, err := k.taped(src)
	k.count(s, err)
	return m, err
}

func (k *checker) count(s *tape, err error) {
	k.tried++
	var p *panicked
	switch {
	case errors.Is(err, bigen.ErrRejected):
		k.none++
	case errors.As(err, &p):
		k.panicked(s.recorded(), p)
	}
}

// taped is run without findings.
func (k *checker) taped(src choices.Source) (m value, s *tape, err error) {
	s = &tape{src: src}
	err = k.guard("a run forward", func(f *finding) { f.tree, f.soFar = s.recorded(), true },
		func() (err error) {
			k.made.Begin()
			m.v, m.tree, err = bigen.Run(k.gen.Gen, s)
			k.made.End()
			return err
		})
	return m, s, err
}

func (k *checker) panicked(t choices.Tree, p *panicked) {
	if strings.HasPrefix(p.text, "bigen: a generator nests without end") {
		k.add(finding{
			law:    boundedness,
			what:   "a run does not end of itself",
			detail: p.text,
			tree:   t,
			soFar:  true,
		})
		return
	}
	if k.has(totality) {
		return
	}
	t, _, _ = mutate.Minimize(t,
		func(edited choices.Tree) (*panicked, choices.Tree, error) {
			_, s, err := k.taped(choices.Replay(edited, nil))
			var p *panicked
			errors.As(err, &p)
			return p, s.recorded(), nil
		},
		func(q *panicked) bool { return q != nil && q.at == p.at },
		maxShrinks)
	f := finding{law: totality, what: "a run forward panics", detail: p.Error(), tree: t, soFar: true}
	if _, _, err := k.taped(choices.FromBytes(choices.Encode(t))); errors.As(err, new(*panicked)) {
		f.bytes = choices.Encode(t)
	}
	k.add(f)
}

// choices runs the generator backward.
func (k *checker) choices(v any) (t choices.Tree, err error) {
	err = k.guard("a run backward", k.showing(v), func() (err error) {
		t, err = bigen.Choices(k.gen.Gen, v)
		return err
	})
	return t, err
}

// textOf returns the literal of m as it was made.
func (k *checker) textOf(m value) string {
	if m.text == "" {
		return k.literal(m.v)
	}
	return m.text
}

// showing returns what adds the value of a run backward to a finding.
func (k *checker) showing(v any) func(*finding) {
	return func(f *finding) { f.text = k.literal(v) }
}

// literal returns v as a Go expression, unformatted: most are only compared.
func (k *checker) literal(v any) string { return literal.Unformatted(v, k.pkg) }

// same reports whether two values are equal to bigen, or are printed alike: a slice
// that holds a NaN does not equal itself.
func (k *checker) same(a, b value) bool {
	unequal := k.guard("a method Equal", k.showing(a.v), func() error {
		return k.gen.differ(a.v, b.v)
	})
	return unequal == nil || k.literal(a.v) == k.literal(b.v)
}

func (k *checker) has(l *law) bool {
	for _, f := range k.found {
		if f.law == l {
			return true
		}
	}
	return false
}

// add adds a finding, if it is the first of its law.
func (k *checker) add(f finding) {
	if !k.has(f.law) {
		k.found = append(k.found, f)
	}
}

// maxShrinks bounds the values that are tried to make a finding smaller.
const maxShrinks = 1000

// shrink looks for the simplest value with a finding for the same law as f, which
// is one for m.
func (k *checker) shrink(m value, f finding, find func(value) *finding) finding {
	spent := budget.New()
	defer func(n int) { k.tries = n }(k.tries)
	k.tries = 10
	_, _, _ = mutate.Minimize(m.tree,
		func(edited choices.Tree) (value, choices.Tree, error) {
			if spent.Over(maxTime/6, 1) {
				return value{}, nil, mutate.ErrStop
			}
			w, _, err := k.taped(choices.Replay(edited, nil))
			return w, w.tree, err
		},
		func(w value) bool {
			g := find(w)
			if g == nil || g.law != f.law || g.what != f.what {
				return false
			}
			f = *g
			return true
		},
		maxShrinks)
	return f
}

// each visits values of every origin, until visit returns false: random ones, those
// from bytes, mutants. It skips runs that are rejected.
func (k *checker) each(visit func(m value, mutant bool) bool) {
	r := rand.New(rand.NewPCG(k.seed, 0))
	var last choices.Tree
	for range k.runs {
		more := true
		try := func(src choices.Source, mutant bool) (value, bool) {
			if !more {
				return value{}, false
			}
			m, err := k.run(src)
			more = err != nil || visit(m, mutant)
			return m, err == nil
		}
		b := randomBytes(r, r.IntN(100))
		if m, ok := try(choices.Random(r), false); ok {
			try(choices.Replay(mutate.Any(m.tree, mutate.SameTag, r), r), true)
			donor := last
			if r.IntN(2) == 0 {
				donor = m.tree
			}
			try(choices.Replay(splice(m.tree, donor, r), r), true)
			last = m.tree
			if r.IntN(2) == 0 {
				b = corrupt(choices.Encode(m.tree), r)
			}
		}
		try(choices.FromBytes(b), false)
		if !more {
			return
		}
	}
}

// splice puts a part of u in the place of a part of t that has the same tag.
func splice(t, u choices.Tree, r *rand.Rand) choices.Tree {
	if len(t) == 0 || len(u) == 0 {
		return t
	}
	i, from := r.IntN(len(t)), r.IntN(len(u))
	for n := range u {
		j := (from + n) % len(u)
		if u[j].Kind == t[i].Kind && (t[i].Kind != choices.Pick || u[j].Tag == t[i].Tag) {
			return t.Splice(i, u.At(j))
		}
	}
	return t
}
