package order

import (
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/fuzzext/internal/tuning"
	"github.com/espalier-go/espalier/internal/job"
)

// tune carries out an order for a model.
func (w *worker) tune(o *job.Tune) (end job.End) {
	hangs := "" // why the property runs no more, or ""
	generator := tuning.Generator{
		Subject: tune.OfValid(w.gen, func(v any) bool {
			if hangs != "" {
				return true
			}
			verdict := w.Judge(v, nil)
			if verdict.Status == job.Hanging {
				hangs = verdict.Why
			}
			return verdict.Status != job.Invalid
		}),
		Read: func() (*predict.Grammar, error) { return predict.Read(w.gen) },
		Example: func(path string) (choices.Tree, error) {
			in := w.inputs([]string{path}, false)[0]
			if in.err != nil {
				return nil, in.err
			}
			_, tree, _, _, err := w.value(bound.Of(w.Decode(in.data), 1<<20))
			return tree, err
		},
	}
	tuned, err := tuning.Run(generator, o, w.order.Seed, func(p tune.Progress) {
		end.Tried = p.Values
		w.out.Begin(job.Entry{Number: p.Round}, end)
	})
	if err == nil {
		err = tuned.Write(o.Result)
	}
	if err != nil {
		end.Error = err.Error()
	}
	if hangs != "" {
		end.Note = hangs + " on one of the values: from then on, all count as valid"
	}
	return end
}
