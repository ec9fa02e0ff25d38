package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
)

// read tells what corpus entries stand for.
func (w *ordered) read(o *job.Read) (end job.End) {
	tb := &detached{name: w.order.Target}
	defer tb.remove()
	s := newTrial(tb)
	defer s.end()
	all := w.inputs(o.Files, o.Added)
	end.Next = o.From
	for drawn := 0; end.Next < len(all)+o.Draw && drawn < job.MaxDrawn; {
		e := job.Entry{Number: end.Next, Status: job.Rejected}
		var src choices.Source
		if n := end.Next - len(all); n >= 0 {
			e.Of, e.Drawn = fmt.Sprintf("random#%d", n), true
			src = bound(w.draw(n), maxDraw)
		} else {
			in := all[end.Next]
			e.Of = in.name
			if in.err != nil {
				e.Why = in.err.Error()
			} else {
				src = bound(w.decode(in.data), 1<<20)
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
				err = w.keeps(v, t)
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
			e.Value, _ = literal.Within(o.Values, v, w.target.pkg)
		}
		if o.Code {
			e.Code = w.code(v, data)
		}
		if o.Run {
			s.tree = t
			run := w.judge(s, e, end, v)
			if run == nil {
				e.Status, e.Why = job.Hanging, fmt.Sprintf("the property has not returned after %v", runLimit)
				w.out.Put(e)
				return end
			}
			e.Status, e.Labels = statusOf(run), run.labels()
			if e.Status == job.Failing {
				e.Why, _ = run.logged()
			}
			s.recycle(run)
		}
		w.out.Put(e)
	}
	return end
}

// maxDraw is how many questions have a random answer in a value that is drawn.
const maxDraw = 1 << 14

// draw returns the source of the n-th value that is drawn.
func (w *ordered) draw(n int) choices.Source {
	return choices.Random(rand.New(rand.NewPCG(w.order.Seed^hash.FNV64(w.order.Target), uint64(n))))
}

// code returns code that keeps a value, for which data stands.
func (w *ordered) code(v any, data []byte) *job.Code {
	text, all := literal.Within(1<<20, v, w.target.pkg)
	written := (&reporter{spec: w.spec}).write(v, text, all, data)
	c := w.call.read()
	_, seed := w.home.snippet(written)
	code := &job.Code{Seed: seed, File: c.file, Line: c.line}
	check := ""
	switch model, ok := strings.CutSuffix(c.gen, ".Gen()"); {
	case ok && c.function == sequence:
		check = "Sequence(t, " + model
	case c.gen != "" && c.prop != "":
		check = "Check(t, " + c.gen + ", " + c.prop
	}
	if written.exact && check != "" {
		name := "Test" + strings.TrimPrefix(strings.TrimPrefix(w.target.name, "Fuzz"), "Test") + "_" + corpus.Name(data)[:8]
		code.Test = "func " + name + "(t *testing.T) {\n\t" +
			c.qualifier + check + ", " + c.qualifier + "Examples" + written.typeArgs + "(" + written.literal + "))\n}\n"
	}
	return code
}
