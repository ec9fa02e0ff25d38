package overlay

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A mutilation replaces the first old text in a source, or appends the new text if the old
// one is empty. It does nothing if file is empty, and removes the file if both texts are.
type mutilation struct{ file, old, new string }

func (m mutilation) apply(t *testing.T, sources map[string][]byte) map[string][]byte {
	t.Helper()
	sources = maps.Clone(sources)
	text := string(sources[m.file])
	switch {
	case m.file == "":
	case m.old == "" && m.new == "":
		delete(sources, m.file)
	case m.old == "":
		sources[m.file] = []byte(text + m.new)
	default:
		require.Contains(t, text, m.old)
		sources[m.file] = []byte(strings.Replace(text, m.old, m.new, 1))
	}
	return sources
}

const unexpected = "the fuzzing engine of go1.99 is not quite as expected: "

// What the overlay reports about a missing part.
const (
	noComparisons = "continuing without comparisons: what the code compares its input with is not seen"
	noMinimizing  = "continuing without minimization: only -fuzzminimizetime bounds the " +
		"minimization of interesting inputs"
	noStatistics = "continuing without statistics: they may be incomplete"
	noSkips      = "continuing without skips: a target without fuzzext may skip all inputs, and " +
		"nothing tells"
	noKnown    = "continuing without known failures: -keepgoing ends a target at its first failure"
	noBaseline = "continuing without baseline: each turn gathers the baseline coverage again"

	hooks = "internal/fuzz/trace.go has no functions libfuzzerTraceCmp1 to 8, " +
		"libfuzzerTraceConstCmp1 to 8, libfuzzerHookStrCmp and libfuzzerHookEqualFold with empty bodies: "
	returned    = "internal/fuzz/fuzz.go has no return of the coordinator in newCoordinator: "
	coordinator = "internal/fuzz/fuzz.go has no function newCoordinator with a parameter opts: "
)

// peeked is the end of peekMinimizeInput.
const (
	peeked    = "\treturn input, true\n" + afterPeek
	afterPeek = "}\n\n// sentMinimizeInput "
)

// marks has, by part and source, a text that each edit inserts.
var marks = map[string]map[string][]string{
	"inputs": {"worker.go": {"espalierDone(", "espalierBegin(", "espalierEnd(",
		"espalierMutate(", "espalierTake("}},
	"comparisons":       {"trace.go": {"espalier.trace.Number(", "espalier.trace.Text("}},
	"minimization":      {"fuzz.go": {"espalierBound("}},
	"messages":          {"worker.go": {"espalierWriter(", "espalierReader("}},
	"statistics":        {"worker.go": {"espalierReport("}},
	"skips":             {"coverage.go": {"espalierEnds("}},
	KnownFailures:       {"worker.go": {"espalierFilter("}, "fuzz.go": {"espalierSeeds("}},
	Limits:              {"worker.go": {"espalierWatch("}},
	Apart:               {"fuzz.go": {"espalierCorpus("}},
	"directories":       {"fuzz.go": {"espalierCorpusDir("}, "worker.go": {"espalierEnter("}},
	"last words":        {"worker.go": {"espalierHear(", "espalierHeard("}},
	"unfinished inputs": {"worker.go": {"espalierUnfinished("}},
	"baseline":          {"fuzz.go": {"espalierBaseline(", "espalierKeepBaseline("}},
}

// TestMissing: a part that lacks an anchor is left out as a whole, with a message, and no
// other part is.
func TestMissing(t *testing.T) {
	sources, err := readSources(running(t).GOROOT)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		mutilation
		lacks   []string
		missing []string
	}{
		"nothing": {},
		"renamed hook": {mutilation{"trace.go", "func libfuzzerTraceCmp4(", "func libfuzzerTraceCmpX("},
			[]string{"comparisons"}, []string{hooks + noComparisons}},
		"changed parameter of a hook": {mutilation{"trace.go",
			"libfuzzerTraceConstCmp2(arg0, arg1 uint16, fakePC uint)",
			"libfuzzerTraceConstCmp2(arg0, arg1 uint16, fakePC uintptr)"},
			[]string{"comparisons"}, []string{hooks + noComparisons}},
		"hook with a body": {mutilation{"trace.go",
			"libfuzzerHookEqualFold(arg0, arg1 string, fakePC uint) {}",
			"libfuzzerHookEqualFold(arg0, arg1 string, fakePC uint) { _ = arg0 }"},
			[]string{"comparisons"}, []string{hooks + noComparisons}},
		"hook in assembly": {mutilation{"trace.go",
			"libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)  {}",
			"libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)"},
			[]string{"comparisons"}, []string{hooks + noComparisons}},
		"no trace.go": {mutilation{"trace.go", "", ""},
			[]string{"comparisons"}, []string{"internal/fuzz has no trace.go: " + noComparisons}},
		"renamed method": {mutilation{"fuzz.go", "func (c *coordinator) peekMinimizeInput(",
			"func (c *coordinator) peekMinimalInput("},
			[]string{"minimization"},
			[]string{"internal/fuzz/fuzz.go has no return of an input in " +
				"(*coordinator).peekMinimizeInput: " + noMinimizing}},
		"method of another type": {mutilation{"fuzz.go", "func (c *coordinator) peekMinimizeInput(",
			"func (c coordinator) peekMinimizeInput("},
			[]string{"minimization"},
			[]string{"internal/fuzz/fuzz.go has no return of an input in " +
				"(*coordinator).peekMinimizeInput: " + noMinimizing}},
		"other return": {mutilation{"fuzz.go", peeked, "\treturn input, ok\n" + afterPeek},
			[]string{"minimization"},
			[]string{"internal/fuzz/fuzz.go has no return of an input in " +
				"(*coordinator).peekMinimizeInput: " + noMinimizing}},
		"return twice in the block": {mutilation{"fuzz.go", peeked, "\treturn input, true\n" + peeked},
			[]string{"minimization"},
			[]string{"internal/fuzz/fuzz.go has no return of an input in " +
				"(*coordinator).peekMinimizeInput: " + noMinimizing}},
		"return in an inner block, too": {mutilation{"fuzz.go", peeked,
			"\tif !ok {\n\t\treturn input, true\n\t}\n" + peeked},
			[]string{"minimization"},
			[]string{"internal/fuzz/fuzz.go has no return of an input in " +
				"(*coordinator).peekMinimizeInput: " + noMinimizing}},
		"encoder of one side": {mutilation{"worker.go", "json.NewEncoder(wc.fuzzIn)",
			"json.NewEncoder(wc.in)"},
			[]string{"messages"},
			[]string{"internal/fuzz/worker.go has no JSON encoder and decoder in " +
				"(*workerClient).callLocked: continuing " +
				"without messages: executions are slower while new coverage is found"}},
		"other return of serve": {mutilation{"worker.go", "return srv.serve(ctx)", "return srv.serve()"},
			[]string{"statistics"},
			[]string{"internal/fuzz/worker.go has no return of serve in RunFuzzWorker: " + noStatistics}},
		"other parameters of SnapshotCoverage": {mutilation{"coverage.go", "func SnapshotCoverage()",
			"func SnapshotCoverage(id int)"},
			[]string{"skips"},
			[]string{"internal/fuzz/coverage.go has no function SnapshotCoverage without " +
				"parameters: " + noSkips}},
		"other call of the fuzz function": {mutilation{"worker.go", "err := fn(e)", "err := fn(ctx, e)"},
			[]string{KnownFailures},
			[]string{"internal/fuzz/worker.go has no call of the fuzz function in RunFuzzWorker: " +
				noKnown}},
		"other parameter of newCoordinator": {mutilation{"fuzz.go",
			"func newCoordinator(opts CoordinateFuzzingOpts)",
			"func newCoordinator(opts *CoordinateFuzzingOpts)"},
			[]string{KnownFailures}, []string{coordinator + noKnown}},
		"renamed newCoordinator": {mutilation{"fuzz.go", "func newCoordinator(", "func makeCoordinator("},
			[]string{KnownFailures, "baseline"},
			[]string{coordinator + noKnown, returned + noBaseline}},
		"other statistics": {mutilation{"fuzz.go", "defer c.logStats()", "defer c.logAll()"},
			[]string{"baseline"},
			[]string{"internal/fuzz/fuzz.go has no statement defer c.logStats() in " +
				"CoordinateFuzzing: " + noBaseline}},
		"other limit": {mutilation{"worker.go", "time.AfterFunc(", "time.Later("}, []string{Limits},
			[]string{"internal/fuzz/worker.go has no call of time.AfterFunc in RunFuzzWorker: " +
				"continuing without limits: -limit-time and -limit-memory are not to be had, and no " +
				"stack tells where an input hangs"}},
		"other parameters of ReadCorpus": {mutilation{"fuzz.go",
			"func ReadCorpus(dir string, types []reflect.Type)",
			"func ReadCorpus(path string, types []reflect.Type)"}, []string{Apart},
			[]string{"internal/fuzz/fuzz.go has no function ReadCorpus with the parameters dir and " +
				"types: continuing without entries apart: inputs that end the process are not minimized"}},
		"other check of the context": {mutilation{"worker.go", "if ctx.Err() != nil {",
			"if nil != ctx.Err() {"}, []string{"unfinished inputs"},
			[]string{"internal/fuzz/worker.go has no check of the context in (*worker).coordinate: " +
				"continuing without unfinished inputs: an input that still runs at the end is lost"}},
		"other directory of workers": {mutilation{"worker.go", "cmd.Dir = w.dir", "cmd.Dir = w.root"},
			[]string{"directories"},
			[]string{"internal/fuzz/worker.go has no assignment to cmd.Dir in (*worker).start: " +
				"continuing without directories: if TestMain changes the directory, workers start " +
				"there, and failing inputs are where it is"}},
		"other error without fuzzing": {mutilation{"worker.go", "terminated without fuzzing: %w",
			"ended without fuzzing: %w"}, []string{"last words"},
			[]string{"internal/fuzz/worker.go has no error of a process that does not fuzz in " +
				"(*worker).startAndPing: continuing without last words: nothing tells why a worker ends " +
				"before it fuzzes"}},
		"a new file": {mutilation{"new.go", "", "package fuzz\nvar new1 = 1\n"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			mutilated := test.apply(t, sources)
			o, err := goEngine.edit("go1.99", mutilated)
			require.NoError(t, err)
			require.Equal(t, test.lacks, o.lacks)
			for i := range test.missing {
				test.missing[i] = unexpected + test.missing[i]
			}
			require.Equal(t, test.missing, o.Missing)
			for part, files := range marks {
				for file, texts := range files {
					_, there := o.files[file]
					for _, text := range texts {
						if o.Lacks(part) {
							require.NotContains(t, string(o.files[file]), text)
						} else {
							require.True(t, there, file)
							require.Contains(t, string(o.files[file]), text)
						}
					}
				}
			}
			// Files that no part edits are not replaced, and all others parse.
			for file, text := range o.files {
				require.NotEqual(t, string(mutilated[file]), string(text))
				_, err := parse(file, text)
				require.NoError(t, err)
			}
		})
	}
}

// TestUnsupported: if the first part is missing, there is no overlay.
func TestUnsupported(t *testing.T) {
	const (
		run = "internal/fuzz/worker.go has no assignment to dur and err in " +
			"(*workerServer).fuzz, the execution of an input"
		values = "internal/fuzz/worker.go has no copy of the values in (*workerServer).fuzz"
		mutate = "internal/fuzz/worker.go has no call of (*mutator).mutate in (*workerServer).fuzz"
		repeat = "internal/fuzz/worker.go has no count of mutations and loop over " +
			"(*mutator).mutate in (*workerClient).fuzz, the repetition of mutations"
	)
	sources, err := readSources(running(t).GOROOT)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		mutilation
		want string
	}{
		"renamed method": {mutilation{"worker.go", "func (ws *workerServer) fuzz(",
			"func (ws *workerServer) run("}, run},
		"other execution": {mutilation{"worker.go", "dur, err = ws.fuzzFn(entry)",
			"dur, err = ws.fuzzFn(ctx, entry)"}, run},
		"two executions": {mutilation{"worker.go", "dur, err = ws.fuzzFn(entry)",
			"dur, err = ws.fuzzFn(entry)\n\t\tdur, err = ws.fuzzFn(entry)"}, run},
		// the other copy, in the loop, is not mistaken for it
		"no copy": {mutilation{"worker.go", "\tcopy(vals, originalVals)\n\n",
			"\tvals = append(vals, originalVals...)\n"}, values},
		"two copies": {mutilation{"worker.go", "\tcopy(vals, originalVals)\n\n",
			"\tcopy(vals, originalVals)\n\tcopy(vals, originalVals)\n"}, values},
		"other mutation": {mutilation{"worker.go",
			"ws.m.mutate(vals, cap(mem.valueRef()))",
			"ws.m.mutate(ctx, vals, cap(mem.valueRef()))"}, mutate},
		"two mutations": {mutilation{"worker.go",
			"ws.m.mutate(vals, cap(mem.valueRef()))",
			"ws.m.mutate(vals, cap(mem.valueRef()))\n\t\t\tws.m.mutate(vals, cap(mem.valueRef()))"}, mutate},
		"other repetition": {mutilation{"worker.go",
			"wc.m.mutate(valuesOut, cap(mem.valueRef()))", "mutate(wc, valuesOut)"}, repeat},
		"count away from the loop": {mutilation{"worker.go",
			"for i := int64(0); i < numMutations; i++ {",
			"numMutations--\n\t\t\tfor i := int64(0); i < numMutations; i++ {"}, repeat},
		"other count": {mutilation{"worker.go",
			"((resp.Count - 1) % chainedMutations) + 1", "resp.Count"}, repeat},
		"renamed client": {mutilation{"worker.go", "func (wc *workerClient) fuzz(",
			"func (wc *workerClient) run("}, repeat},
		"no worker.go": {mutilation{"worker.go", "", ""},
			"internal/fuzz declares no fuzzArgs"},
		"no mem.go": {mutilation{"mem.go", "", ""}, "internal/fuzz declares no sharedMem"},
		"renamed type": {mutilation{"worker.go", "type fuzzResponse struct",
			"type fuzzAnswer struct"}, "internal/fuzz declares no fuzzResponse"},
		"name of the glue": {mutilation{"queue.go", "", "\nfunc espalierTake() {}\n"},
			"internal/fuzz declares espalierTake, as espalier_coordinator.go of the overlay does"},
		"name of package engine": {mutilation{"new.go", "",
			"package fuzz\n\ntype Prober struct{}\n"},
			"internal/fuzz declares Prober, as espalier_prober.go of the overlay does"},
		"name in a list of names": {mutilation{"queue.go", "", "\nvar x1, espalierLink6 int\n"},
			"internal/fuzz declares espalierLink6, as espalier_worker.go of the overlay does"},
		"error of syntax": {mutilation{"queue.go", "", "}\n"}, "queue.go:"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := goEngine.edit("go1.99", test.apply(t, sources))
			require.Error(t, err)
			require.Nil(t, o)
			want := "the fuzzing engine of go1.99 is not one that corpusgen knows: " + test.want
			if strings.HasSuffix(want, ":") {
				require.ErrorContains(t, err, want)
				return
			}
			require.EqualError(t, err, want)
		})
	}
}

// TestEdits: the overlay changes nothing but what its parts name.
func TestEdits(t *testing.T) {
	sources, err := readSources(running(t).GOROOT)
	require.NoError(t, err)
	o, err := goEngine.edit("go1.99", sources)
	require.NoError(t, err)
	inserted := map[string]int{} // lines of the edited sources that the original has not
	for name := range sources {
		text, ok := o.files[name]
		if !ok {
			continue
		}
		original := "\n" + string(sources[name])
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(original, "\n"+line) && line != noSplit+"\n" {
				require.Contains(t, line, "espalier")
				inserted[name]++
			}
		}
	}
	require.Equal(t, map[string]int{"coverage.go": 1, "worker.go": 16, "fuzz.go": 7,
		"trace.go": 10}, inserted)
	require.Equal(t, 8, strings.Count(string(o.files["trace.go"]), "\n"+noSplit+"\nfunc libfuzzerTrace"))
	require.NotContains(t, string(o.files["worker.go"]), "ws.m.mutate(")
	require.NotContains(t, string(o.files["worker.go"]), "wc.m.mutate(")
	for name, text := range o.files {
		if strings.HasPrefix(name, "espalier_") {
			require.Contains(t, "\n"+string(text), "\npackage fuzz\n", name)
			require.NotContains(t, string(text), "go:build ignore", name)
		}
	}
}
