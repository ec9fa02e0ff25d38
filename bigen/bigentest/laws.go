package bigentest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/literal"
	"golang.org/x/exp/slices"
)

// Laws checks that g makes and reads one and the same set of values, and that any source and
// any bytes lead into this set. It fails t once for each broken law:
//
//   - totality: every run makes a value or is rejected. None panics or takes more than 30
//     seconds, in either direction.
//   - few rejections: more than one run in 20 makes a value.
//   - boundedness: a run terminates with the simplest answers, with answers that ask for
//     as much as possible, and with long byte strings.
//   - determinism: the same answers make the same value.
//   - no changes: a run does not change values that were made before or that it is given.
//   - round trip: bigen.Check accepts what was made, and decoding its encoding makes an
//     equal value.
//   - exactness: if bigen.Check accepts a value, its choices make that value. Laws checks
//     this also for values that were changed a little after they were made.
//   - canonicity: bytes decode to a value whose encoding decodes to the same choices and
//     encodes to the same bytes. Equal values have the same bytes.
//   - replay: a replay of unedited choices, recorded or recovered backward, makes the
//     value that they came from.
//   - mutation: edited choices, and choices with parts of other values, keep all of these
//     laws.
//
// Values are equal if bigen says so, see [bigen.New], or if they print alike. No law can tell
// which valid values g does not make: use [Complete].
//
// Laws logs what the generator makes anew for each value although it takes long, such as a
// [bigen.For] with options in a function given to [bigen.Struct]. It also logs that bigen.Prob
// is too low, if running backward does not find some choices that make a value. That breaks no
// law. Possible causes are an Iso whose to takes several values to one, or a function that
// sorts what it is given.
func Laws[A any](t testing.TB, g bigen.Gen[A], opts ...Option) {
	t.Helper()
	newChecker(boxed(g), opts).laws(t)
}

func (k *checker) laws(t testing.TB) {
	t.Helper()
	spent := budget.New()
	k.check(t, "bigentest.Laws", func() {
		if k.bounds(); k.has(boundedness) {
			return // replays, too, take first alternatives
		}
		k.each(k.judge)
		if given := k.tried - k.none; given*20 <= k.tried {
			k.add(finding{law: rejection, what: fmt.Sprintf("%d of %d runs were rejected", k.none, k.tried)})
		}
	})
	if advice := k.made.Advice(); advice != "" {
		t.Logf("bigentest.Laws: %s", advice)
	} else if each := min(spent.Used(),
		time.Since(spent.Began)) / time.Duration(max(1, k.tried)); each > slow {
		t.Logf("bigentest.Laws: it takes %v to check a run: are values very large, or is "+
			"something made in each run that could be made once, such as a Recursive in a "+
			"function given to Struct?", each.Round(time.Millisecond))
	}
	if k.lost != "" && len(k.found) == 0 {
		t.Logf("bigentest.Laws: different choices make the same value, so bigen.Prob is too low "+
			"for it: one is %s", k.lost)
	}
	if k.none > 0 {
		t.Logf("bigentest.Laws: %d of %d runs were rejected", k.none, k.tried)
	}
}

// slow is how much time a run with its checks seldom takes, by the CPU and by the clock.
const slow = 50 * time.Millisecond

// Value checks the laws that concern a single value, for v.
func Value[A any](t testing.TB, g bigen.Gen[A], v A) {
	t.Helper()
	newChecker(boxed(g), nil).value(t, v)
}

func (k *checker) value(t testing.TB, v any) {
	t.Helper()
	k.check(t, "bigentest.Value", func() {
		tree, err := k.choices(v)
		m := value{v: v, tree: tree}
		if err != nil {
			k.add(finding{
				law:    roundTrip,
				what:   "bigen.Check does not accept the value",
				detail: err.Error(),
				text:   k.literal(v),
			})
			return
		}
		k.judge(m, false)
	})
}

// Bytes checks the laws that concern a single value, for the value that b decodes to, and
// returns it. If g rejects b, it returns the zero value.
func Bytes[A any](t testing.TB, g bigen.Gen[A], b []byte) (v A) {
	t.Helper()
	return unboxed[A](newChecker(boxed(g), nil).bytes(t, b))
}

func (k *checker) bytes(t testing.TB, b []byte) (v any) {
	t.Helper()
	k.check(t, "bigentest.Bytes", func() {
		if m, err := k.run(choices.FromBytes(b)); err == nil {
			k.judge(m, false)
			v = m.v
		}
	})
	return v
}

// judge checks m, which was made, and reports whether to continue.
func (k *checker) judge(m value, mutant bool) bool {
	if len(m.tree) <= large {
		m.text = k.literal(m.v)
	}
	laws := []func(value) *finding{k.determined, k.back, k.canonical, k.replays, k.nearby, k.unchanged}
	if len(m.tree) > huge {
		if k.huge++; k.huge > 1 {
			laws = laws[1:3]
		}
	}
	for _, find := range laws {
		f := find(m)
		if f == nil {
			continue
		}
		if !k.has(f.law) && !(f.law == roundTrip && k.has(mutation)) {
			k.add(k.shrink(m, *f, find))
			if n := len(k.found) - 1; f.law == roundTrip && mutant {
				k.found[n].law = mutation
			}
		}
		if f.law == determinism {
			break
		}
	}
	k.ambiguous(m)
	return !k.has(determinism)
}

// determined checks that the same answers give the same twice, and leave the value
// of the first time alone.
func (k *checker) determined(m value) *finding {
	a, _, err := k.taped(choices.Replay(m.tree, nil))
	if err != nil {
		return nil // not this law
	}
	return k.again(finding{law: determinism, tree: a.tree}, a, choices.Replay(m.tree, nil),
		[...]string{
			"the same answers, given again, do not lead to a value",
			"the same answers, given twice, lead to different values",
			"the same answers, given twice, lead to different choices, the second time to",
		})
}

// again returns a finding, for which f is prepared, if a run does not make m by the choices of f.
// wrong says that it makes no value, another value, or the value by other choices.
func (k *checker) again(f finding, m value, src choices.Source, wrong [3]string) *finding {
	w, _, err := k.taped(src)
	switch {
	case err != nil:
		f.what, f.detail = wrong[0], err.Error()
	case !k.same(m, w):
		f.what, f.other = wrong[1], k.literal(w.v)
	case !slices.Equal(w.tree, f.tree):
		f.what, f.detail = wrong[2], w.tree.String()
	default:
		return nil
	}
	f.text = k.textOf(m)
	return &f
}

// back checks that m can be read back.
func (k *checker) back(m value) *finding {
	f := finding{law: roundTrip, tree: m.tree, bytes: choices.Encode(m.tree)}
	t, err := k.choices(m.v)
	if err != nil {
		f.text = k.textOf(m)
		f.what, f.detail = "bigen.Check does not accept what the generator makes", err.Error()
		var p *panicked
		if errors.As(err, &p) {
			f.law, f.what = totality, "bigen.Check panics"
		}
		return &f
	}
	f.tree, f.bytes = t, choices.Encode(t)
	w, _, err := k.taped(choices.FromBytes(f.bytes))
	switch {
	case err != nil:
		f.what, f.detail = "what bigen.Encode returns is not decoded", err.Error()
	case !k.same(m, w):
		f.what, f.other = "bigen.Encode and bigen.Decode give another value", k.literal(w.v)
	default:
		again, err := k.choices(w.v)
		if err == nil && bytes.Equal(choices.Encode(again), f.bytes) {
			return nil
		}
		f.law, f.what = canonicity, "equal values have different bytes"
		if f.detail = errorText(err); err == nil {
			f.detail = "the choices of the value when decoded: " + again.String()
		}
	}
	f.text = k.textOf(m)
	return &f
}

// ambiguous notes if the choices that made m are not among those found backward.
func (k *checker) ambiguous(m value) {
	if k.lost != "" || len(m.tree) > large {
		return
	}
	var forest *bigen.Trees
	err := k.guard("a run backward", k.showing(m.v), func() (err error) {
		forest, err = bigen.Forest(k.gen.Gen, m.v)
		return err
	})
	if err == nil && !forest.Inexact && !forest.Has(m.tree) {
		k.lost = fmt.Sprintf("made by %v, and recovered as %v only: %s", m.tree, forest.First(),
			literal.Format(k.textOf(m)))
	}
}

// canonical checks the encoding of the choices that have made m.
func (k *checker) canonical(m value) *finding {
	b := choices.Encode(m.tree)
	return k.again(finding{law: canonicity, tree: m.tree, bytes: b}, m, choices.FromBytes(b),
		[...]string{
			"the bytes of its choices are not decoded",
			"the bytes of its choices decode to another value",
			"the bytes of its choices decode to others",
		})
}

// replays checks that a replay without an edit changes nothing.
func (k *checker) replays(m value) *finding {
	leftmost, err := k.choices(m.v)
	if err != nil {
		return nil // not this law
	}
	for _, t := range []choices.Tree{m.tree, leftmost} {
		if f := k.again(finding{law: replay, tree: t}, m, choices.Replay(t, nil), [...]string{
			"a replay of its choices makes no value",
			"a replay of its choices makes another value",
			"a replay of its choices makes others",
		}); f != nil {
			return f
		}
	}
	return nil
}

// nearby checks values close to m: that running backward leaves them alone, and
// that those that are accepted are made.
func (k *checker) nearby(m value) *finding {
	if len(m.tree) > large {
		return nil
	}
	for range k.tries {
		v, ok := perturbed(m.v, k.pkg, k.r)
		if !ok {
			return nil
		}
		before := k.literal(v)
		t, err := k.choices(v)
		if after := k.literal(v); after != before {
			return &finding{
				law:   purity,
				what:  "bigen.Check changes a value that it is given",
				text:  before,
				other: after,
			}
		}
		var p *panicked
		if errors.As(err, &p) {
			return &finding{
				law:    totality,
				what:   "bigen.Check panics on a value close to one that is made",
				detail: p.Error(),
				text:   before,
			}
		}
		if err != nil {
			continue
		}
		near := value{v, t, before}
		w, _, err := k.taped(choices.Replay(t, nil))
		if err != nil || !k.same(near, w) {
			return &finding{
				law:    exactness,
				what:   "bigen.Check accepts a value that its choices do not make",
				detail: errorText(err),
				text:   before,
				other:  k.literal(w.v),
				tree:   t,
			}
		}
	}
	return nil
}

// unchanged checks that m is still as it was made.
func (k *checker) unchanged(m value) *finding {
	if len(m.tree) > large {
		return nil
	}
	before := k.textOf(m)
	k.choices(m.v) // may be the first, for a smaller value
	if after := k.literal(m.v); after != before {
		return &finding{
			law:   purity,
			what:  "runs change a value that was made before",
			text:  before,
			other: after,
			tree:  m.tree,
		}
	}
	return nil
}

// large is how many choices have a value that is compared with others, but not
// looked at as closely: small ones tell as much, and take less time.
const large = 200

// huge is how many choices a value has if only the first such value is replayed, and the
// others are encoded and decoded, forward and backward.
const huge = 10_000

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// bounds checks that values have an end, whatever the answers.
func (k *checker) bounds() {
	m, s, err := k.taped(simplest())
	var p *panicked
	if errors.As(err, &p) && p.text == tooMany {
		what := fmt.Sprintf("the simplest answers lead to more than %d choices", maxSimplest)
		k.add(finding{law: boundedness, what: what, tree: s.recorded(), soFar: true})
		return
	}
	if k.count(s, err); k.has(boundedness) || err == nil && !k.judge(m, false) {
		return
	}
	r := rand.New(rand.NewPCG(k.seed, 1))
	long := randomBytes(r, 1<<14)
	if m, err := k.run(choices.Random(r)); err == nil {
		long = append(long, bytes.Repeat(choices.Encode(m.tree), 100)...)
	}
	for _, src := range []choices.Source{
		greedy(r), outOfRange,
		choices.FromBytes(nil),
		choices.FromBytes(bytes.Repeat([]byte{0}, 1000)),
		choices.FromBytes(bytes.Repeat([]byte{0xFF}, 1000)),
		choices.FromBytes(long),
	} {
		if m, err := k.run(src); err == nil && !k.judge(m, false) {
			return
		}
	}
}
