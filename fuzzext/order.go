package fuzzext

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
)

// takeOrder carries out the order that corpusgen has given this process, if it has
// and if it is for t.
func takeOrder[V any](g bigen.Gen[V], t target, opts options) (taken bool) {
	o, err := job.Current()
	if err != nil {
		panic(fmt.Sprintf("fuzzext: %v", err))
	}
	if o == nil || t.name != o.Target {
		return false
	}
	if err := o.Reply(seeds(g, o, opts)); err != nil {
		panic(fmt.Sprintf("fuzzext: answering corpusgen: %v", err))
	}
	return true
}

// patience is how many values in a row may be old before seeds gives up.
const patience = 10_000

// seeds draws corpus entries with values that differ from each other and from
// those in the corpus.
func seeds[V any](g bigen.Gen[V], o *job.Order, opts options) *job.Answer {
	// What cannot be read, the engine reports.
	old, _ := corpus.Read(filepath.Join("testdata", "fuzz", o.Target))
	seen := map[string]bool{}
	for _, e := range old {
		if v, t, err := bigen.Run(g, opts.decode(e.Data)); err == nil {
			_, key := entry(g, v, t)
			seen[key] = true
		}
	}
	h := fnv.New64a()
	h.Write([]byte(o.Target))
	src := choices.Random(rand.New(rand.NewPCG(o.Seed, h.Sum64())))
	a := &job.Answer{}
	rejected := 0
	for idle := 0; len(a.Entries) < o.N; a.Draws++ {
		if idle == patience {
			if rejected >= patience {
				a.Error = fmt.Sprintf("the generator rejected %d of %d draws: %v", rejected, a.Draws, bigen.ErrRejected)
			} else {
				a.Note = fmt.Sprintf("the generator seems to have no other values: it made none in %d draws", patience)
			}
			break
		}
		idle++
		v, t, err := bigen.Run(g, src)
		if err != nil {
			rejected++
			continue
		}
		b, key := entry(g, v, t)
		if seen[key] {
			continue
		}
		seen[key] = true
		a.Entries = append(a.Entries, b)
		idle = 0
	}
	return a
}

// entry returns the bytes of a value and a key that equal values share. Run
// backward, a generator makes the same choices of equal values; if it cannot read
// what it has made, the choices made forward serve, and the value's text.
func entry[V any](g bigen.Gen[V], v V, t choices.Tree) (b []byte, key string) {
	if b, err := bigen.Encode(g, v); err == nil {
		return b, string(b)
	}
	return choices.Encode(t), literal.Of(v, "")
}
