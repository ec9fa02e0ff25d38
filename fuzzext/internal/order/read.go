package order

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// read tells what files stand for, and random values.
func (w *worker) read(o *job.Read) (end job.End) {
	drawn := 0
	for _, r := range w.readings(o) {
		e := job.Entry{Number: end.Next, Of: r.name, Drawn: r.drawn}
		end.Next++
		if e.Number < o.From {
			continue
		}
		end.Tried++
		w.out.Begin(e, end) // the generator may end the process
		v, t, err := w.fill(&e, r, o)
		if e.Drawn {
			drawn += len(t)
		}
		if err != nil {
			e.Status, e.Why = job.Rejected, err.Error()
			if len(e.Why) > maxValue { // it may quote the file
				e.Why = strings.ToValidUTF8(e.Why[:maxValue], "") + "..."
			}
			w.out.Put(e)
			continue
		}
		if o.Run {
			w.out.Begin(e, end)
			verdict := w.Judge(v, t)
			e.Status, e.Labels, e.Why, e.Place = verdict.Status, verdict.Labels, verdict.Why, verdict.Place
		}
		w.out.Put(e)
		if e.Status == job.Hanging || drawn >= job.MaxDrawn {
			break
		}
	}
	return end
}

// fill makes the value of a reading, and fills an entry with what an order asks about it.
func (w *worker) fill(e *job.Entry, r reading, o *job.Read) (v any, t choices.Tree, err error) {
	v, t, data, err := r.read()
	if o.Values > 0 && v != nil {
		e.Value = w.literal(o.Values, v)
	}
	if err == nil && o.As != "" {
		if e.File, err = w.export(o.As, v, data); err == nil {
			err = w.keeps(v, t, "")
		}
	}
	if err != nil {
		return v, t, err
	}
	e.Data, e.Status = data, job.Valid
	if o.Trees {
		e.Tree = job.Tree(t)
	}
	if o.Code {
		e.Code = w.Code(v, data)
	}
	return v, t, nil
}

// A reading is what is read as one value.
type reading struct {
	name  string
	drawn bool
	read  func() (v any, t choices.Tree, data []byte, err error)
}

// readings returns what an order asks for.
func (w *worker) readings(o *job.Read) (all []reading) {
	if o.Format != "" {
		for _, path := range o.Files {
			for _, f := range w.valuesIn(o.Format, path) {
				all = append(all,
					reading{f.name, false, func() (any, choices.Tree, []byte, error) {
						return w.entryOf(f.read, o.Format)
					}})
			}
		}
		return all
	}
	value := func(src choices.Source) (v any, t choices.Tree, data []byte, err error) {
		v, t, data, _, err = w.value(src)
		return v, t, data, err
	}
	for _, in := range w.inputs(o.Files, o.Added) {
		all = append(all, reading{in.name, false, func() (any, choices.Tree, []byte, error) {
			if in.err != nil {
				return nil, nil, nil, in.err
			}
			return value(values.Bound(w.Decode(in.data), 1<<20))
		}})
	}
	for n := range o.Draw {
		all = append(all,
			reading{fmt.Sprintf("random#%d", n), true,
				func() (any, choices.Tree, []byte, error) { return value(values.Bound(w.draw(n), maxDraw)) }})
	}
	return all
}

// maxDraw is how many questions have a random answer in a value that is drawn.
const maxDraw = 1 << 14

// draw returns the source of the n-th value that is drawn.
func (w *worker) draw(n int) choices.Source {
	return choices.Random(rand.New(rand.NewPCG(w.order.Seed^hash.FNV64(w.order.Target), uint64(n))))
}
