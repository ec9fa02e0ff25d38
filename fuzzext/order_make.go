package fuzzext

import (
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

const (
	// patience is how many values in a row may be old or invalid before the search ends;
	// fewPatience, once there are as many as ordered.
	patience    = 10_000
	fewPatience = 200

	// To choose from, so many times as many values are made in addition, at most
	// mostToChoose.
	moreToChoose = 3
	mostToChoose = 1000
)

// Make implements order.Target: it makes corpus entries whose values are valid and differ from
// each other, from those in the corpus and from those that code adds.
func (w *ordered) Make(order *job.Order, out *job.Writer) job.End {
	x, o := w.spec, order.Make
	c := newSeeding(x, order.Seed, hash.FNV64(order.Target))
	defer c.end()
	c.blind = o.Blind
	// The engine reports entries that cannot be read.
	old, _ := corpus.Read(filepath.Join("testdata", "fuzz", order.Target))
	for _, e := range old {
		if data, err := w.Translate(e.Data); err == nil {
			c.exclude(x.decode(data))
		}
	}
	for _, b := range w.seeds {
		c.exclude(x.decode(b))
	}
	want := o.N + min(moreToChoose*o.N, mostToChoose)
	for idle := 0; len(c.seeds) < want && idle < patience && (len(c.seeds) < o.N || idle < fewPatience); {
		out.Begin(job.Entry{Number: len(c.seeds)}, job.End{Tried: c.draws, Invalid: c.invalid, Rejected: c.rejected})
		if !c.draw() {
			break
		}
		if idle++; !c.old {
			idle = 0
		}
	}
	entries := c.choose(o.N, true)
	for i, b := range entries {
		out.Put(job.Entry{Number: i, Status: job.Valid, Data: b})
	}
	end := job.End{Tried: c.draws, Invalid: c.invalid, Rejected: c.rejected}
	switch {
	case x.fault != "":
		end.Error = x.fault
	case len(entries) == o.N:
	case c.hangs:
		end.Note = fmt.Sprintf("the property has not returned after %v on one of them", runLimit)
	case c.rejected >= patience:
		end.Error = fmt.Sprintf("the generator rejected %d of %d draws: %v", c.rejected, c.draws, bigen.ErrRejected)
	case c.invalid > 0:
		end.Note = fmt.Sprintf("of %d more values tried none was valid and new, T.Assume has rejected %d: give valid ones to fuzzext.Add or Examples, from which corpusgen learns", c.draws, c.invalid)
	default:
		end.Note = fmt.Sprintf("the generator seems to have no other values: it made %d", c.draws)
	}
	return end
}
