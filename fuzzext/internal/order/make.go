package order

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

// make makes corpus entries whose values are valid and differ from each other, from those in the
// corpus and from those that code adds.
func (w *worker) make(o *job.Make) job.End {
	c, finish := w.Seeding(w.order.Seed, hash.FNV64(w.order.Target), o.Blind)
	// The engine reports entries that cannot be read.
	old, _ := corpus.Read(filepath.Join("testdata", "fuzz", w.order.Target))
	for _, e := range old {
		if data, err := w.Translate(e.Data); err == nil {
			c.Exclude(w.Decode(data))
		}
	}
	for _, b := range w.Added {
		c.Exclude(w.Decode(b))
	}
	want := o.N + min(moreToChoose*o.N, mostToChoose)
	for idle := 0; c.Len() < want && idle < patience && (c.Len() < o.N || idle < fewPatience); {
		before := c.Len()
		w.out.Begin(job.Entry{Number: before}, job.End{
			Tried:    c.Draws,
			Invalid:  c.Invalid,
			Rejected: c.Rejected,
		})
		if !c.Draw() {
			break
		}
		if idle++; c.Len() > before {
			idle = 0
		}
	}
	entries := c.Choose(o.N, true)
	for i, b := range entries {
		e := job.Entry{Number: i, Status: job.Valid, Data: b}
		if c.Failing[string(b)] {
			e.Status = job.Failing
		}
		w.out.Put(e)
	}
	end := job.End{Tried: c.Draws, Invalid: c.Invalid, Rejected: c.Rejected}
	switch fault := finish(); {
	case fault != "":
		end.Error = fault
	case len(entries) == o.N:
	case c.Hangs:
		end.Note = "the property has not returned on one of them"
	case c.Rejected >= patience:
		end.Error = fmt.Sprintf("the generator rejected %d of %d draws: %v", c.Rejected, c.Draws,
			bigen.ErrRejected)
	case c.Invalid > 0:
		end.Note = fmt.Sprintf("of %d more values tried none was valid and new, T.Assume has "+
			"rejected %d: give valid ones to fuzzext.Add or Examples, from which corpusgen learns",
			c.Draws, c.Invalid)
	default:
		end.Note = fmt.Sprintf("the generator seems to have no other values: it made %d", c.Draws)
	}
	return end
}
