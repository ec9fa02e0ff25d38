package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/mutate"
)

// maxStack is the limit while an order is carried out, in bytes. So calls that never end recursing
// are found sooner.
const maxStack = 64 << 20

func init() {
	job.CarryOutAPI = func(model any, o *job.API, link *engine.Link) error {
		if a, ok := model.(*API); ok {
			return a.carryOut(o, link)
		}
		return nil
	}
}

// carryOut carries out an order of corpusgen api. The process does nothing else.
func (a *API) carryOut(o *job.API, link *engine.Link) error {
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(400) // sequences are garbage at once
	go limitMemory(maxHeap)
	limitFile(maxFile)
	before, err := os.Create(o.Before)
	if err != nil {
		return err
	}
	defer before.Close()
	kept, err := os.Create(o.Kept)
	if err != nil {
		return err
	}
	defer kept.Close()
	var lost error
	var g *generator
	line := func(calls callseq.Calls, entry []byte) []byte {
		ops := make([]string, len(calls))
		for i, c := range calls {
			ops[i] = nameOf(c)
		}
		b, _ := json.Marshal(job.Told{
			Ops: ops, Entry: entry, Stats: job.Stats(g.stats),
			Mistake: g.mistake, Warned: g.op.warned, Fails: g.failing,
		})
		return append(b, '\n')
	}
	written := func(_ int, err error) { lost = cmp.Or(lost, err) }
	opts := Options{
		Confined: o.Confined,
		Time:     o.Time, Sequences: o.Sequences, Length: o.Length, Seed: o.Seed, MaxRegressions: o.Tests,
		Patience: o.Patience, Hung: reportHang, Without: o.Without, Never: o.Never, Skip: o.Skip,
		Stats: Stats(o.Stats), mistakes: o.Mistakes, link: link, harness: o.Harness, full: reportFull,
		tried: func(t job.Told) {
			b, _ := json.Marshal(t)
			written(kept.Write(append(b, '\n')))
		},
		// A longer line before it leaves a rest.
		Before: func(calls callseq.Calls, entry []byte) { written(before.WriteAt(line(calls, entry), 0)) },
		Kept:   func(calls callseq.Calls, entry []byte) { written(kept.Write(line(calls, entry))) },
	}
	opts.Restore = entriesOf(job.ReadTold(o.Restore))
	g = newGenerator(a, opts.withDefaults())
	var answer any = job.Suite{}
	switch {
	case o.Entry == nil:
		answer = g.generate()
	case o.Fate == "":
		g.autopsy(o.Entry, o.Ends)
	default:
		defer time.AfterFunc(o.Patience, func() { reportHang(nil) }).Stop()
		answer = g.obituary(o)
	}
	if lost != nil {
		return lost
	}
	return job.WriteSuite(o.Suite, answer)
}

// entriesOf returns the entries of sequences that were kept: errors first, as there may be no time
// for all.
func entriesOf(kept []job.Told) (entries [][]byte) {
	for _, fails := range []bool{true, false} {
		for _, told := range kept {
			if told.Fails == fails {
				entries = append(entries, told.Entry)
			}
		}
	}
	return entries
}

// autopsy minimizes a sequence that ends the process. ends says which of the sequences that are
// tried have ended one, as far as that is known.
func (g *generator) autopsy(entry []byte, ends []bool) {
	fails := func(s *sequence) bool {
		if len(ends) > 0 {
			end := ends[0]
			ends = ends[1:]
			return end
		}
		if !g.over(0) && g.run(s).class == Passed {
			g.judge(everything)
		}
		g.tell(g.opts.Kept)
		return false
	}
	s := g.decode(entry)
	if s == nil {
		return
	}
	s = s.own()
	for range 2 { // it may end the process by chance only
		if fails(s) {
			mutate.Minimize(s.tree, g.remake, fails, maxMinimizing)
			return
		}
	}
}

// obituary returns a sequence that ends the process as Go statements, and whether the last call,
// which is not made, is given what it need not bear.
func (g *generator) obituary(o *job.API) (answer job.Suite) {
	s := g.decode(o.Entry)
	if s != nil {
		s = g.tidied(s)
	}
	if s == nil {
		return answer
	}
	g.begin()
	g.tracing, g.enter = true, nil
	for i, call := range s.calls {
		g.dry = o.Dry || i == len(s.calls)-1
		g.step(call)
	}
	g.now().failure = o.Fate
	r := g.report()
	t := job.Test{Code: r.failure(), Steps: r.steps, Writes: g.write(s.calls)}
	switch {
	case g.nests:
		t.Doubt = "a value may have been put into itself"
	case g.odd(0):
		t.Doubt = oddNumber
	}
	announced := g.op.warned || slices.ContainsFunc(g.trace, func(t traced) bool {
		return t.op.warned && t.op.method == o.Started
	})
	answer.Errors = []job.Test{t}
	answer.Tainted = g.tainted || g.looped || g.stubbed || announced
	return answer
}

// reportHang ends the process, because a sequence does not.
func reportHang(callseq.Calls) {
	exit(job.ExitHang, "the sequence does not end")
}

// exit ends the process, and says why, and where all goroutines are.
func exit(status int, why string) {
	stack := make([]byte, 1<<20)
	fmt.Fprintf(os.Stderr, "%s\n\n%s\n", why, stack[:runtime.Stack(stack, true)])
	os.Exit(status)
}
