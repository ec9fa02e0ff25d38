package order

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// read tells what corpus entries stand for.
func (w *worker) read(o *job.Read) (end job.End) {
	all := w.inputs(o.Files, o.Added)
	end.Next = o.From
	for drawn := 0; end.Next < len(all)+o.Draw && drawn < job.MaxDrawn; {
		e := job.Entry{Number: end.Next, Status: job.Rejected}
		var src choices.Source
		if n := end.Next - len(all); n >= 0 {
			e.Of, e.Drawn = fmt.Sprintf("random#%d", n), true
			src = bound.Of(w.draw(n), maxDraw)
		} else {
			in := all[end.Next]
			e.Of = in.name
			if in.err != nil {
				e.Why = in.err.Error()
			} else {
				src = bound.Of(w.Decode(in.data), 1<<20)
			}
		}
		end.Next++
		end.Tried++
		if src == nil {
			w.out.Put(e)
			continue
		}
		w.out.Begin(e, end) // the generator may end the process
		v, t, data, _, err := w.value(src)
		if e.Drawn {
			drawn += len(t)
		}
		if err != nil {
			e.Why = err.Error()
			w.out.Put(e)
			continue
		}
		e.Data, e.Status = data, job.Valid
		if o.As != "" {
			if e.File, err = w.export(o.As, v, data); err == nil {
				err = w.keeps(v, t, "")
			}
			if err != nil {
				e.Why, e.Status, e.Data = err.Error(), job.Rejected, nil
				w.out.Put(e)
				continue
			}
		}
		if o.Trees {
			e.Tree = job.Tree(t)
		}
		if o.Values > 0 {
			e.Value = w.literal(o.Values, v)
		}
		if o.Code {
			e.Code = w.Code(v, data)
		}
		if o.Run {
			w.out.Begin(e, end)
			verdict := w.Judge(v, t)
			e.Status, e.Labels, e.Why = verdict.Status, verdict.Labels, verdict.Why
			if e.Status == job.Hanging {
				w.out.Put(e)
				return end
			}
		}
		w.out.Put(e)
	}
	return end
}

// maxDraw is how many questions have a random answer in a value that is drawn.
const maxDraw = 1 << 14

// draw returns the source of the n-th value that is drawn.
func (w *worker) draw(n int) choices.Source {
	return choices.Random(rand.New(rand.NewPCG(w.order.Seed^hash.FNV64(w.order.Target), uint64(n))))
}
