//go:build ignore

// This file has what runs in a worker. It is compiled as part of internal/fuzz. The edits of
// package overlay call its functions; the other files of the overlay are the files of package
// engine.

package fuzz

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"internal/runtime/exithook"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
	_ "unsafe" // for go:linkname
)

// espalierLink6 is what fuzzext, if it is part of this program, refers to.
//
//go:linkname espalierLink6
var espalierLink6 *Link

// espalierChanged is what the functions set to 1 that a change touches; see [Link].
//
//go:linkname espalierChanged
var espalierChanged uint32

// espalier is the state of a worker process.
var espalier struct {
	link     Link
	trace    Trace
	prober   *Prober // of inputs without structure
	traced   *Trace  // trace, if it records what the prober's input does
	nearer   []Nearer
	mem      *sharedMem
	vals     []any
	known    map[string]*KnownClass // to pass over
	stats    Stats
	reported time.Time
	warm     bool // an input has been run twice
	flicker  Flicker
	left     bool // the last input has left the target by runtime.Goexit
	passed   bool // the last input fails, and is passed over
	checked  bool // the target has not skipped all inputs that this process has made
	clock    Clock
}

// espalierSlot is how long fuzzext may explore before the engine looks whether it is to
// stop.
const espalierSlot = 25 * time.Millisecond

// espalierPeriod is how often a worker tells what it has done.
const espalierPeriod = 100 * time.Millisecond

func init() {
	espalierLink6 = &espalier.link
	espalier.link.Counters = coverage()
	espalier.link.Trace = &espalier.trace
	espalier.link.Changed = &espalierChanged
	espalier.link.Offer = espalierOffer
	espalier.link.KnownClasses = espalierKnownClasses
	if os.Getenv(CorpusDir) != "" {
		exithook.Add(exithook.Hook{RunOnFailure: true, F: func() {
			fmt.Fprintf(os.Stderr, "\n%s\n\n%s\n", ExitCalled, debug.Stack())
		}})
		if most, err := time.ParseDuration(os.Getenv(CorpusTime)); err == nil {
			c := &Clock{Time: most, CPU: CPUTime, Over: func(Failure) { espalierTimeOver(most) }}
			c.Start()
		}
	}
	espalierLimits()
	ReadLogs()
}

// espalierTimeOver ends the process as the limit of package testing does, which counts no CPU time,
// and knows no stack of a goroutine that does not stop within milliseconds: a loop, on a busy machine.
func espalierTimeOver(most time.Duration) {
	fmt.Fprintf(os.Stderr, "\n%s%v\n\n%s\n", TimedOut, most, stacks())
	syscall.Exit(2) // which os.Exit calls at last
}

// espalierBegin begins a call of the worker, in which it runs vals or what it makes of
// them.
func espalierBegin(ws *workerServer, mem *sharedMem, vals []any) {
	e := &espalier
	e.mem, e.vals = mem, vals
	e.link.Known = ws.coverageMask
	if !e.link.Explorer {
		if e.prober == nil {
			e.prober = NewProber(espalierSeed())
			e.prober.Give(ReadTokens())
			e.prober.Favor(&espalierChanged)
		}
		e.prober.Know(ws.coverageMask)
		e.prober.Base(vals)
	}
	espalierHand(mem, vals)
}

// espalierEnd ends a call of the worker.
func espalierEnd(resp *fuzzResponse) {
	e := &espalier
	e.link.Exploring = false
	if now := time.Now(); now.Sub(e.reported) > espalierPeriod || resp.Err != "" {
		e.reported = now
		espalierReport()
	}
}

// espalierMutate replaces vals by the next input.
func espalierMutate(ws *workerServer, mem *sharedMem, args fuzzArgs, original, vals []any) {
	e := &espalier
	e.vals = vals
	if e.link.Explorer {
		copy(vals, original)
		e.link.Exploring = true
		e.link.Ran = 0
		e.link.Until = time.Now().Add(espalierSlot)
		e.link.Left = math.MaxInt64
		if args.Limit > 0 {
			e.link.Left = args.Limit - mem.header().count
		}
	} else {
		e.prober.Next(vals, cap(mem.valueRef())/4) // handed over, a text may take twice its bytes
		e.trace.Reset()
		e.traced = nil
		if e.prober.WantTrace() {
			e.traced = &e.trace
		}
		e.trace.Recording.Store(e.traced != nil)
		e.trace.Profiling.Store(true)
	}
	espalierHand(mem, vals)
}

// espalierDone is told what came of the input that the worker has run, and returns its error.
func espalierDone(
	ws *workerServer, mem *sharedMem, args fuzzArgs, entry CorpusEntry, dur time.Duration, err error,
) error {
	e := &espalier
	if args.Warmup && err == nil && !e.warm {
		e.warm = true
		espalierAgain(ws, entry)
	}
	switch {
	case e.link.Explorer:
		if e.link.Exploring {
			mem.header().count += max(0, e.link.Ran-1) // one has been counted
		}
		e.link.Exploring = false
	case !args.Warmup:
		e.trace.Profiling.Store(false)
		e.trace.Recording.Store(false)
		e.nearer = e.trace.Nearest.News(e.nearer[:0])
		e.stats.Executions++
		e.checked = e.checked || !e.left || err != nil || e.passed
		if e.checked {
			e.stats.Valid = e.stats.Executions
		}
		if err == nil && dur < espalierSlow {
			err = espalierConfirm(ws, mem, entry)
		}
		if e.prober.Done(coverageSnapshot, e.traced, e.nearer, err != nil || e.passed, dur) {
			e.stats.Found++
		}
	}
	return err
}

// espalierSlow is what a run takes at least that is not repeated here.
const espalierSlow = 100 * time.Millisecond

// espalierConfirm runs an input with new coverage once more, and keeps of the coverage what shows
// again. A failure of the second run is one of the input.
func espalierConfirm(ws *workerServer, mem *sharedMem, entry CorpusEntry) error {
	e := &espalier
	isNew := func() bool { return countNewCoverageBits(ws.coverageMask, coverageSnapshot) > 0 }
	if ws.coverageMask == nil || !isNew() {
		return nil
	}
	e.flicker.Clear(coverageSnapshot)
	if !isNew() {
		return nil
	}
	first := bytes.Clone(coverageSnapshot)
	entry.Values = append([]any{}, entry.Values...)
	espalierTake(mem, entry.Values) // the target may have changed what it was given
	_, err := ws.fuzzFn(entry)
	if e.passed {
		return nil
	}
	e.flicker.Compare(first, coverageSnapshot, ws.coverageMask)
	e.prober.Know(ws.coverageMask)
	return err
}

// espalierEnds is told that the target has ended, in one of the two ways. T.Skip calls
// runtime.Goexit, as T.FailNow does. Once an input has been checked, nobody asks.
func espalierEnds() {
	e := &espalier
	if e.checked || e.link.Explorer {
		return
	}
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if e.left = f.Function == "runtime.Goexit"; e.left {
			return
		}
	}
}

// espalierAgain runs the first input of a process once more, and adds what it reaches. The code that
// fills caches runs only the first time, and other code instead of it from then on; neither says
// something of an input. Such code may be the standard library's: types with parameters, as sync.Map
// has, are followed wherever the code under test makes them.
func espalierAgain(ws *workerServer, entry CorpusEntry) {
	first := bytes.Clone(coverageSnapshot)
	ws.fuzzFn(entry)
	for i, bits := range first {
		coverageSnapshot[i] |= bits
	}
}

// espalierLimits sets the limits of inputs.
func espalierLimits() {
	c := &espalier.clock
	c.CPU = CPUTime
	c.Time, _ = time.ParseDuration(os.Getenv(LimitTime))
	c.Memory, _ = strconv.ParseUint(os.Getenv(LimitMemory), 10, 64)
	c.Over = func(f Failure) {
		if dir := os.Getenv(RunDir); dir != "" {
			f.File = espalierName()
			espalierWrite(dir, OverrunPrefix+strconv.Itoa(os.Getpid())+".json", f)
		}
		panic(f.Log)
	}
	if c.Memory > 0 {
		debug.SetMaxStack(int(min(c.Memory, math.MaxInt32)))
	}
}

// espalierWatch begins the run of an input, which may take some time unless another limit is set.
// If fuzzext explores, it sees to the limit itself, since one call runs many inputs.
func espalierWatch(usual time.Duration) *Clock {
	c := &espalier.clock
	if c.Time <= 0 {
		c.Time = usual
	}
	if espalier.link.Explorer && c.Time < usual {
		c.Time = usual
	}
	c.Start()
	return c
}

// espalierName returns the name of the entry of the input that runs.
func espalierName() string {
	e := &espalier
	if e.mem == nil {
		return ""
	}
	vals := append([]any{}, e.vals...) // the target may have changed what it was given
	espalierTake(e.mem, vals)
	return fmt.Sprintf("%x", sha256.Sum256(marshalCorpusFile(vals...)))[:16]
}

// espalierKeep writes a file whole or not at all.
func espalierKeep(path string, b []byte) {
	if os.WriteFile(path+".tmp", b, 0o666) == nil {
		os.Rename(path+".tmp", path)
	}
}

// espalierSeed differs from process to process.
func espalierSeed() uint64 {
	if seed := godebugSeed(); seed != nil {
		return uint64(*seed)
	}
	return uint64(time.Now().UnixNano()) ^ uint64(os.Getpid())<<40
}

// espalierOffer makes b the input that is run.
func espalierOffer(b []byte) {
	e := &espalier
	if len(e.vals) == 1 && e.mem != nil {
		espalierHand(e.mem, []any{b})
	}
}

// The input that is run is in the upper half of the shared memory: the coordinator takes
// it from there, instead of repeating the mutations.

// espalierRegion is nil if the engine's own value leaves no room for it.
func espalierRegion(mem *sharedMem) []byte {
	half := len(mem.region) / 2
	if len(mem.valueRef())+1<<10 > half {
		return nil
	}
	return mem.region[half:]
}

// espalierHand tells the coordinator what is run.
func espalierHand(mem *sharedMem, vals []any) {
	region := espalierRegion(mem)
	if region == nil {
		return
	}
	binary.LittleEndian.PutUint64(region, 0) // nothing, in case that this process ends here
	b := AppendArguments(region[8:8:len(region)], vals)
	if len(b) > len(region)-8 {
		panic(fmt.Sprintf("an input of %d bytes is larger than the shared memory has room for", len(b)))
	}
	binary.LittleEndian.PutUint64(region, 1+uint64(len(b))) // which may be none
}

// espalierFilter passes over a failure of a class that is known. An explorer has done that. What the
// input covers counts for nothing: it would be kept, and fail in the next run.
func espalierFilter(err error, input CorpusEntry) error {
	if err == nil || !espalier.link.Explorer &&
		PassOver(espalierKnownClasses(), err.Error(), input.Values) {
		if espalier.passed = err != nil; err != nil {
			clear(coverageSnapshot)
		}
		return nil
	}
	return err
}

// espalierKnownClasses returns the classes of known failures, by name.
func espalierKnownClasses() map[string]*KnownClass {
	if espalier.known != nil {
		return espalier.known
	}
	espalier.known = map[string]*KnownClass{}
	if dir := os.Getenv(RunDir); dir != "" {
		var classes []*KnownClass
		if b, err := os.ReadFile(filepath.Join(dir, KnownFile)); err == nil &&
			json.Unmarshal(b, &classes) == nil {
			for _, c := range classes {
				espalier.known[c.Name] = c
			}
		}
	}
	return espalier.known
}

// espalierReport writes the Report of a worker.
func espalierReport() {
	e := &espalier
	dir := os.Getenv(RunDir)
	if dir == "" {
		return
	}
	s := e.stats
	switch {
	case e.link.Explorer && e.link.Report != nil:
		s = e.link.Report()
	case e.prober != nil:
		s.Operators = e.prober.Stats()
		s.Flaky = int64(e.flicker.Count())
		s.Entries, s.Changed = e.prober.Entries(), e.prober.Changed()
	}
	s.Protocol, s.PID, s.Known = Protocol, os.Getpid(), map[string]int64{}
	for name, c := range e.known {
		s.Known[name] = c.Times
	}
	r := Report{Stats: s, Blocks: len(e.link.Known)}
	for _, bits := range e.link.Known {
		if bits != 0 {
			r.Covered++
		}
	}
	espalierWrite(dir, "worker-"+strconv.Itoa(s.PID)+".json", r)
}

// espalierWrite writes a file for corpusgen or the next turn, whole or not at all.
func espalierWrite(dir, name string, v any) {
	if b, err := json.Marshal(v); err == nil {
		espalierKeep(filepath.Join(dir, name), b)
	}
}
