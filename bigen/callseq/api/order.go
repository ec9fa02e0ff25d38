package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/job"
)

// maxStack is how many bytes of stack a call may take while an order is carried out. Calls that
// never end recursing are found sooner.
const maxStack = 64 << 20

func init() {
	job.CarryOutAPI = func(model any, o *job.API) error {
		if a, ok := model.(*API); ok {
			return a.carryOut(o)
		}
		return nil
	}
}

// carryOut carries out an order of corpusgen api.
func (a *API) carryOut(o *job.API) error {
	debug.SetMaxStack(maxStack)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // sequences are garbage at once
	defer limitMemory(o.Memory)()
	if o.Fate != "" {
		var only []callseq.Calls
		if err := addCalls(&only, o.Only); err != nil {
			return err
		}
		defer time.AfterFunc(o.Patience, func() { reportHang(nil) }).Stop()
		var answer job.Suite
		answer.Code, answer.Tainted = a.codeOf(only[0], o.Fate, o.Dry)
		return answer.Write(o.Suite)
	}
	opts := Options{
		Time: o.Time, Sequences: o.Sequences, Length: o.Length,
		Patience: o.Patience, Seed: o.Seed, Hung: reportHang, Without: o.Without, MaxRegressions: o.Tests,
	}
	if o.Only != "" {
		opts.Sequences, opts.MaxRegressions = 1, -1
		if err := addCalls(&opts.Restore, o.Only); err != nil {
			return err
		}
	}
	for _, text := range o.Skip {
		if err := addCalls(&opts.Skip, text); err != nil {
			return err
		}
	}
	if err := readKept(&opts.Restore, o.Restore); err != nil {
		return err
	}
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
	var buffer []byte
	line := func(text []byte) []byte {
		buffer = append(append(buffer[:0], text...), '\n')
		return buffer
	}
	var lost error
	opts.Before = func(text []byte) {
		if _, err := before.WriteAt(line(text), 0); err != nil { // a longer line before it leaves a rest
			lost = err
		}
	}
	opts.Kept = func(text []byte) {
		if _, err := kept.Write(line(text)); err != nil {
			lost = err
		}
	}
	s := a.Generate(opts)
	if lost != nil {
		return lost
	}
	answer := job.Suite{
		Regressions: answers(s.Regressions), Errors: answers(s.Errors), Flaky: answers(s.Flaky),
		Sequences: s.Stats.Sequences, Calls: s.Stats.Calls, Duplicates: s.Stats.Duplicates, Expected: s.Stats.Expected,
		Invalid: s.Stats.Invalid, Failed: s.Stats.Failed, Redundant: s.Stats.Redundant, Kept: s.Stats.Kept,
	}
	return answer.Write(o.Suite)
}

// codeOf returns calls as Go statements, and whether the last one, which is not run, is given what
// it need not bear. It has the fate given. The others run, unless dry is set: then it is not known
// what results they have beside those for later calls.
func (a *API) codeOf(calls callseq.Calls, fate string, dry bool) (code string, tainted bool) {
	m := a.newMachine(&quiet{})
	m.begin()
	m.tracing = true
	for i, call := range calls {
		m.dry = dry || i == len(calls)-1
		m.step(call)
	}
	m.now().failure = fate
	return m.report().failure(), m.tainted
}

func answers(tests []Test) (all []job.Test) {
	for _, t := range tests {
		all = append(all, job.Test{Code: t.Code, Op: t.Op, Message: t.Message, Class: t.Class, Place: t.Place, Found: t.Found})
	}
	return all
}

// readKept reads sequences from a file, of which the last line may be incomplete.
func readKept(to *[]callseq.Calls, path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			return nil
		}
		if err := addCalls(to, string(line)); err != nil {
			return err
		}
		text = rest
	}
}

func addCalls(to *[]callseq.Calls, text string) error {
	var calls callseq.Calls
	if err := json.Unmarshal([]byte(text), &calls); err != nil {
		return fmt.Errorf("reading a sequence: %w", err)
	}
	*to = append(*to, calls)
	return nil
}

// reportHang ends the process, because a sequence does not.
func reportHang([]byte) {
	stack := make([]byte, 1<<20)
	fmt.Fprintf(os.Stderr, "the sequence does not end\n\n%s\n", stack[:runtime.Stack(stack, true)])
	os.Exit(job.ExitHang)
}

// limitMemory ends the process if the heap takes more than so many bytes, until the function
// that it returns is called.
func limitMemory(most uint64) (stop func()) {
	if most == 0 {
		return func() {}
	}
	quit := make(chan struct{})
	go func() {
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			select {
			case <-quit:
				return
			case <-time.After(20 * time.Millisecond):
			}
			metrics.Read(heap)
			if heap[0].Value.Uint64() <= most {
				continue
			}
			runtime.GC() // it may be garbage
			metrics.Read(heap)
			if n := heap[0].Value.Uint64(); n > most {
				fmt.Fprintf(os.Stderr, "the sequence takes %d MB of memory\n", n>>20)
				os.Exit(job.ExitMemory)
			}
		}
	}()
	return func() { close(quit) }
}
