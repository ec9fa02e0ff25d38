package explore

import (
	"bytes"
	"math/rand/v2"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/engine"
)

// A lab is a Subject without a test, and a replacement for the engine of corpusgen fuzz.
// Its property itself says how a run ends.
type lab[V any] struct {
	*Explorer
	prop func(w *lab[V], v V) Result

	link    engine.Link
	known   []byte           // coverage bits that the engine knows
	places  map[string]int64 // of failures that the engine knows
	offered []byte
	kept    [][]byte // inputs that the engine has taken into its corpus

	finished func() // is called after each run
	place    string // where the property fails
	runs     int    // of the property
	again    int    // of these, runs on inputs that have run before, or on smaller ones
	reported []Outcome
	crashed  bool // the generator has panicked
}

const labCounters = 256

func newLab[V any](gen bigen.Gen[V], prop func(w *lab[V], v V) Result) *lab[V] {
	w := &lab[V]{
		prop:   prop,
		known:  make([]byte, labCounters),
		places: map[string]int64{},
		place:  "x.go:1",
	}
	w.link = engine.Link{
		Counters: make([]byte, labCounters),
		Trace:    new(engine.Trace),
		Offer:    func(b []byte) { w.offered = append(w.offered[:0], b...) },
	}
	w.Explorer = New(&w.link, bigen.Any(gen), w)
	w.r = rand.New(rand.NewPCG(1, 2))
	w.slow = time.Hour // a busy machine delays runs
	return w
}

// execute is what the engine does: it runs an input, or has inputs explored, and keeps
// what has new coverage.
func (w *lab[V]) execute(b []byte, exploring bool, left int64) (fresh bool) {
	w.link.Exploring, w.link.Left, w.link.Until = exploring, left, time.Now().Add(time.Hour)
	w.link.Known = w.known
	clear(w.link.Counters)
	w.Execute(b)
	for i, n := range w.link.Counters {
		if bit := engine.Round(n); bit&^w.known[i] != 0 {
			w.known[i] |= bit
			fresh = true
		}
	}
	if fresh && exploring {
		w.kept = append(w.kept, bytes.Clone(w.offered))
	}
	return fresh
}

// explore explores inputs until a number of them have run, or one has failed.
func (w *lab[V]) explore(most int) (ran int) {
	for ran < most && len(w.reported) == 0 && !w.crashed {
		w.execute(nil, true, int64(most-ran))
		ran += int(w.link.Ran)
	}
	return ran
}

func (w *lab[V]) run(v any, tree choices.Tree) Outcome {
	w.runs++
	w.Begin(tree)
	value, _ := v.(V)
	o := Outcome{Result: w.prop(w, value), Tree: tree}
	w.Finish()
	if w.finished != nil {
		w.finished()
	}
	if o.Result == Failed {
		if _, o.Known = w.places[w.place]; o.Known {
			w.places[w.place]++
		}
	}
	return o
}

func (w *lab[V]) Decode(b []byte) choices.Source   { return choices.FromBytes(b) }
func (w *lab[V]) Make(r *rand.Rand) choices.Source { return varied.Source(r, r.IntN(1<<20)) }
func (w *lab[V]) Stopped() bool                    { return false }
func (w *lab[V]) Report(o Outcome)                 { w.reported = append(w.reported, o) }

func (w *lab[V]) Each(source func(i int) choices.Source, after func(Outcome) bool) {
	defer func() {
		if recover() != nil {
			w.crashed = true
			w.OfferPanic()
		}
	}()
	var memory choices.Tree
	for i := 0; ; i++ {
		v, tree, err := bigen.RunInto(memory, w.gen, source(i))
		memory = tree
		o := Outcome{Result: Rejected}
		if err == nil {
			o = w.run(v, tree)
		}
		if !after(o) {
			return
		}
	}
}

func (w *lab[V]) Run(v any, t choices.Tree) Outcome {
	w.again++
	return w.run(v, t)
}
