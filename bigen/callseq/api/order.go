package api

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
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
	var opts Options
	if o.Only != "" {
		if err := addCalls(&opts.Restore, o.Only); err != nil {
			return err
		}
	}
	if o.Fate != "" {
		defer time.AfterFunc(o.Patience, func() { reportHang(nil) }).Stop()
		var answer job.Suite
		answer.Code, answer.Tainted = a.codeOf(opts.Restore[0], o.Fate, o.Dry)
		return job.WriteSuite(o.Suite, answer)
	}
	opts.Time, opts.Sequences, opts.Length, opts.Seed, opts.MaxRegressions = o.Time, o.Sequences, o.Length, o.Seed, o.Tests
	opts.Patience, opts.Hung, opts.Without = o.Patience, reportHang, o.Without
	if o.Only != "" {
		opts.Sequences, opts.MaxRegressions = 1, -1
	}
	if err := addCalls(&opts.Skip, o.Skip...); err != nil {
		return err
	}
	if o.Restore != "" {
		text, err := os.ReadFile(o.Restore)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n") // the last line is empty, or incomplete
		if err := addCalls(&opts.Restore, lines[:len(lines)-1]...); err != nil {
			return err
		}
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
	var lost error
	opts.Before = func(line []byte) {
		if _, err := before.WriteAt(append(line, '\n'), 0); err != nil { // a longer line before it leaves a rest
			lost = err
		}
	}
	opts.Kept = func(line []byte) {
		if _, err := kept.Write(append(line, '\n')); err != nil {
			lost = err
		}
	}
	s := a.Generate(opts)
	if lost != nil {
		return lost
	}
	return job.WriteSuite(o.Suite, s)
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

// addCalls adds sequences that are written as JSON.
func addCalls(to *[]callseq.Calls, lines ...string) error {
	for _, line := range lines {
		var calls callseq.Calls
		if err := json.Unmarshal([]byte(line), &calls); err != nil {
			return fmt.Errorf("reading a sequence: %w", err)
		}
		*to = append(*to, calls)
	}
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
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	go func() {
		for {
			select {
			case <-quit:
				return
			case <-time.After(20 * time.Millisecond):
			}
			if heap() <= most {
				continue
			}
			runtime.GC() // it may be garbage
			if n := heap(); n > most {
				fmt.Fprintf(os.Stderr, "the sequence takes %d MB of memory\n", n>>20)
				os.Exit(job.ExitMemory)
			}
		}
	}()
	return func() { close(quit) }
}
