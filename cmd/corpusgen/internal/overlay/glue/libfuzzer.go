//go:build ignore

// This file is compiled as part of internal/fuzz in a binary that libFuzzer drives. The edits
// of package overlay call its functions, and so does the C code of package libfuzzer.

package fuzz

/*
#include <stddef.h>
#include <stdint.h>

struct explored {
	int exploring;
	size_t size;
	uintptr_t data;
};
*/
import "C"

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"internal/runtime/exithook"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// espalierLink6 is what fuzzext, if it is part of this program, refers to.
//
//go:linkname espalierLink6
var espalierLink6 *Link

// espalierTypes are the types of the arguments of the target. Testing sets them.
//
//go:linkname espalierTypes testing.espalierTypes
var espalierTypes []reflect.Type

// espalierNumber and espalierText are called before comparisons in instrumented code.
//
//go:linkname espalierNumber runtime.espalierNumber
var espalierNumber func(pc uint, a, b uint64, size uint8, constant bool) bool

//go:linkname espalierText runtime.espalierText
var espalierText func(pc uint, a, b string) bool

//go:linkname espalierMain main.main
func espalierMain()

// espalier is the state of the process.
var espalier struct {
	link   Link
	driver Driver
	trace  Trace
	known  map[string]*KnownClass
	fn     func(CorpusEntry) error
	ready  chan bool // fn has been set
	prefix string    // of the paths of artifacts
	again  bool      // libFuzzer only runs files or merges directories
	files  []string  // that the arguments name, if there are no directories
	values bool      // libFuzzer has a value profile
	input  []byte    // the one that runs

	reads   []string      // see espalierFile
	timeout time.Duration // of a run; 0 for none
	memory  int64         // bytes that the process may have; 0 for no limit
	started time.Time     // of the process
	// when the run began, since then, also if the clock is set; 0 if there is none
	began atomic.Int64

	offered  []byte
	explored *C.struct_explored // for a handler of signals
}

func init() {
	e := &espalier
	espalierLink6 = &e.link
	e.ready, e.started = make(chan bool), time.Now()
	e.known = map[string]*KnownClass{}
	e.link.Counters = coverage()
	e.link.Trace = &e.trace
	e.link.Offer = espalierOffer
	e.link.KnownClasses = func() map[string]*KnownClass { return e.known }
	e.link.Driver = &e.driver
	e.driver.Save = espalierSave
	e.driver.Rerun = espalierRerun
	e.driver.Exploring = espalierExploring
	e.driver.File = espalierFile
}

// espalierStart runs the test binary up to the call of F.Fuzz by the target, in the directory of
// its package if that is on this machine. It returns 1 if fuzzext mutates the inputs.
//
//export espalierStart
func espalierStart(
	target, directory *C.char, argc C.int, argv **C.char, explored *C.struct_explored,
) C.int {
	e := &espalier
	e.explored = explored
	name := espalierString(target)
	var args []string
	for _, arg := range unsafe.Slice(argv, int(argc))[1:] {
		args = append(args, espalierString(arg))
	}
	e.again = espalierRunsAgain(args)
	if home, err := os.Getwd(); err == nil && os.Chdir(espalierString(directory)) == nil {
		defer os.Chdir(home)
	}
	e.timeout, e.memory = 1200*time.Second, 2048<<20 // libFuzzer's defaults
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "-artifact_prefix":
			e.prefix = value
		case "-timeout":
			e.timeout = time.Duration(n) * time.Second
		case "-rss_limit_mb":
			e.memory = n << 20
		case "-use_value_profile":
			e.values = value != "0"
		}
	}
	debug.SetTraceback("crash") // so that libFuzzer sees an uncaught panic
	debug.SetMaxStack(espalierStack)
	if os.Getenv("GOMEMLIMIT") == "" && e.memory > 0 {
		debug.SetMemoryLimit(e.memory / 4 * 3)
	}
	exithook.Add(exithook.Hook{F: espalierExits, RunOnFailure: true})
	go espalierWatch()
	os.Args = []string{os.Args[0], "-test.run=^$", "-test.fuzz=^" + name + "$",
		"-test.fuzzcachedir=" + os.DevNull}
	if os.Getenv(SeedsFile) == "" {
		os.Args = append(os.Args, "-test.fuzzworker")
	}
	go espalierMain()
	<-espalier.ready
	if espalier.driver.Mutate == nil {
		return 0
	}
	// Comparisons count while the property runs, not while its values are made.
	trace := &espalier.trace
	espalierNumber = espalierCompared
	espalierText = func(pc uint, a, b string) bool {
		trace.Text(pc, a, b)
		return espalier.values && trace.Profiling.Load()
	}
	return 1
}

// espalierCompared notes a comparison of integers. It reports whether libFuzzer's own hook runs, too.
//
//go:nosplit
func espalierCompared(pc uint, a, b uint64, size uint8, constant bool) bool {
	trace := &espalier.trace
	trace.Number(pc, a, b, size, constant)
	return espalier.values && trace.Profiling.Load()
}

// espalierRunsAgain reports whether, given these arguments, libFuzzer only runs inputs that there
// are: if it is to merge, or if they name files and no directories.
func espalierRunsAgain(args []string) bool {
	var files []string
	for _, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-merge"):
			return true
		case !strings.HasPrefix(arg, "-"):
			files = append(files, arg)
		}
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			return false
		}
	}
	espalier.files = files
	return len(files) > 0
}

func espalierString(s *C.char) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return strings.Clone(unsafe.String((*byte)(unsafe.Pointer(s)), n))
}

// espalierEnd prints what fuzzext has run.
//
//export espalierEnd
func espalierEnd() {
	if s := espalier.link.Report(); s.Executions > 0 {
		fmt.Fprintf(os.Stderr, "fuzzext: %d values have run, %d of them valid; %d were new\n",
			s.Executions, s.Valid, s.Found)
	}
}

// espalierServe has libFuzzer call a fuzz function. It never returns.
func espalierServe(fn func(CorpusEntry) error) {
	espalier.fn = fn
	espalier.ready <- true
	select {}
}

// espalierOffer notes what runs from now on.
func espalierOffer(b []byte) {
	if x := espalier.explored; x != nil && x.exploring != 0 {
		if b == nil {
			b = []byte{}
		}
		espalier.offered = b // and so, b stays where it is
		x.size = C.size_t(len(b))
		x.data = C.uintptr_t(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	}
}

// espalierExploring notes whether what runs is unknown to libFuzzer. Nothing is offered yet.
func espalierExploring(yes bool) {
	x := espalier.explored
	espalier.offered, x.data, x.size, x.exploring = nil, 0, 0, 0
	if yes {
		x.exploring = 1
	}
}

// espalierRuns returns the input that runs, or nil while a generator makes one.
func espalierRuns() []byte {
	if e := &espalier; e.explored.exploring == 0 {
		return e.input
	}
	return espalier.offered
}

// espalierRun runs an input. It returns 1 if it fails.
//
//export espalierRun
func espalierRun(data *C.uint8_t, size C.size_t) C.int {
	e := &espalier
	e.input = append(e.input[:0], espalierBytes(data, size)...)
	e.began.Store(int64(time.Since(e.started)))
	err := e.fn(CorpusEntry{Values: ReadArguments(e.input, espalierTypes)})
	e.began.Store(0)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%v\n", err)
	return 1
}

// espalierMutate replaces an input, of size bytes, by another one, of at most max bytes. It
// returns the size of the new one.
//
//export espalierMutate
func espalierMutate(data *C.uint8_t, size, max C.size_t) C.size_t {
	b := append([]byte(nil), espalierBytes(data, size)...)
	b = espalier.driver.Mutate(b, int(max))
	return C.size_t(copy(unsafe.Slice((*byte)(unsafe.Pointer(data)), int(max)), b))
}

func espalierBytes(data *C.uint8_t, size C.size_t) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size))
}

// espalierStack is how large the stack of a goroutine becomes: infinite recursion is not to look
// like a lack of memory.
const espalierStack = 128 << 20

// espalierExits is called before the process ends by os.Exit. Libfuzzer would not see that.
func espalierExits() {
	e := &espalier
	if e.began.Load() == 0 && e.explored.exploring == 0 {
		return
	}
	buf := make([]byte, 64<<10)
	fmt.Fprintf(os.Stderr, "the target ends the process by os.Exit\n%s\n",
		buf[:runtime.Stack(buf, false)])
	syscall.Kill(os.Getpid(), syscall.SIGABRT)
	select {}
}

// espalierWatch tells where a run is just before libFuzzer ends the process because of it, and
// ends the process itself if inputs that libFuzzer does not know of need too much memory.
func espalierWatch() {
	e := &espalier
	told := false
	for {
		tick := 200 * time.Millisecond
		if e.timeout > 0 {
			tick = min(tick, e.timeout/10)
		}
		time.Sleep(tick)
		began := e.began.Load()
		took := time.Since(e.started) - time.Duration(began)
		late := began != 0 && e.timeout > 0 && took > e.timeout/10*9
		if late && !told {
			espalierStacks(fmt.Sprintf("the input has run for %v of %v", took.Round(time.Second/10),
				e.timeout))
		}
		told = late
		if e.memory > 0 && e.explored.exploring != 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if int64(m.Sys-m.HeapReleased) > e.memory/10*9 {
				espalierStacks("the input needs too much memory")
				saved := espalierNoInput
				if b := espalierRuns(); b != nil {
					path := fmt.Sprintf("%soom-%x", e.prefix, sha1.Sum(b))
					os.WriteFile(path, b, 0o666)
					saved = fmt.Sprintf("artifact_prefix='%s'; Test unit written to %s", e.prefix, path)
				}
				fmt.Fprintf(os.Stderr, "ERROR: libFuzzer: out-of-memory (used: %dMb; limit: "+
					"%dMb)\n%s\n", (m.Sys-m.HeapReleased)>>20, e.memory>>20, saved)
				const outOfMemory = 71 // an exit status of libFuzzer
				syscall.Exit(outOfMemory)
			}
		}
	}
}

// espalierNoInput is printed instead of the name of a file. target.c prints it, too.
const espalierNoInput = "no file is written: this happens in the generator, while it makes a " +
	"value whose bytes are not known yet"

// espalierStacks prints the stacks of all goroutines.
func espalierStacks(why string) {
	buf := make([]byte, 1<<20)
	fmt.Fprintf(os.Stderr, "%s\n%s\n", why, buf[:runtime.Stack(buf, true)])
}

// espalierSave writes an input made of the one that runs beside libFuzzer's own artifacts, unless
// libFuzzer only runs inputs that there are.
func espalierSave(b []byte) (string, error) {
	if espalier.again {
		return "", nil
	}
	path := fmt.Sprintf("%sminimized-from-%x", espalier.prefix, sha1.Sum(espalierRuns()))
	return path, os.WriteFile(path, b, 0o666)
}

// espalierRerun returns the command that runs a file again.
func espalierRerun(file string) string {
	for _, f := range espalier.files {
		if b, err := os.ReadFile(f); err == nil && bytes.Equal(b, espalierRuns()) {
			file = f
		}
	}
	if file == "" {
		file = fmt.Sprintf("%scrash-%x", espalier.prefix, sha1.Sum(espalierRuns()))
	}
	binary := os.Args[0]
	if filepath.Base(binary) == binary {
		binary = "./" + binary
	}
	return binary + " " + file
}

// espalierFile returns the copy of a file beside the binary, if there is one. Corpusgen makes it:
// espalierSeeds tells it of the file.
func espalierFile(path string) string {
	espalier.reads = append(espalier.reads, path)
	if binary, err := os.Executable(); err == nil {
		copied := binary + "." + filepath.Base(path)
		if _, err := os.Stat(copied); err == nil {
			return copied
		}
	}
	return path
}

// espalierSeeds writes the seeds of the target, and whether fuzzext mutates its inputs, if this
// process has been started for that.
func espalierSeeds(opts CoordinateFuzzingOpts) {
	file := os.Getenv(SeedsFile)
	if file == "" {
		return
	}
	s := Seeds{Structured: espalier.driver.Mutate != nil, Files: espalier.reads}
	for _, t := range opts.Types {
		s.Types = append(s.Types, t.String())
	}
	for _, entry := range opts.Seed {
		vals := entry.Values
		if vals == nil {
			b, err := os.ReadFile(entry.Path)
			if err == nil {
				vals, err = readCorpusData(b, opts.Types)
			}
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", entry.Path, err)
				os.Exit(1)
			}
		}
		s.Inputs = append(s.Inputs, AppendArguments(nil, vals))
	}
	b, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(file, b, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
