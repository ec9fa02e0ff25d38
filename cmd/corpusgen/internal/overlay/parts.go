package overlay

import (
	"fmt"
	"path/filepath"
	"strings"
)

// needed are the declarations of internal/fuzz that the files of the overlay refer to.
var needed = []string{"CorpusEntry", "coverage", "coverageSnapshot", "fuzzArgs", "fuzzMinimizeInput", "fuzzResponse", "godebugSeed", "sharedMem", "workerServer"}

// A part is one capability of the overlay. It is made if all its edits are possible.
type part struct {
	name  string
	loss  string // completes "going on without it:"
	edits []anchor
}

// KnownFailures is the part that passes over failures in known places.
const KnownFailures = "known failures"

// parts are the parts of the overlay. All build on the first; the others are independent of
// each other.
var parts = []part{
	{"inputs", "", []anchor{
		{"worker.go", "assignment to dur and err in (*workerServer).fuzz, the execution of an input",
			after(within("workerServer", "fuzz", "dur, err = ws.fuzzFn(entry)"), "\n\t\tespalierDone(mem, args, dur, err)")},
		{"worker.go", "copy of the values in (*workerServer).fuzz",
			after(statement("workerServer", "fuzz", "copy(vals, originalVals)"), "\n\tespalierBegin(ws, mem, vals)\n\tdefer espalierEnd(&resp)")},
		{"worker.go", "call of (*mutator).mutate in (*workerServer).fuzz",
			instead(within("workerServer", "fuzz", "ws.m.mutate(vals, cap(mem.valueRef()))"), "espalierMutate(ws, mem, args, originalVals, vals)")},
		{"worker.go", "count of mutations and loop over (*mutator).mutate in (*workerClient).fuzz, the repetition of mutations", takeInput},
	}},
	{"comparisons", "what the code compares its input with is not seen", []anchor{
		{"trace.go", "functions libfuzzerTraceCmp1 to 8, libfuzzerTraceConstCmp1 to 8, libfuzzerHookStrCmp and libfuzzerHookEqualFold with empty bodies", traceComparisons},
	}},
	{"minimization", "that of interesting inputs is bounded by -fuzzminimizetime only", []anchor{
		{"fuzz.go", "return of an input in (*coordinator).peekMinimizeInput",
			before(within("coordinator", "peekMinimizeInput", "return input, true"), "espalierBound(&input)\n\t")},
	}},
	{"statistics", "they may be incomplete, and do not tell of targets that are not deterministic", []anchor{
		{"worker.go", "return of serve in RunFuzzWorker",
			before(within("", "RunFuzzWorker", "return srv.serve(ctx)"), "defer espalierReport()\n\t")},
		{"worker.go", "check whether an input has its coverage again in (*workerServer).minimizeInput",
			inIf("workerServer", "minimizeInput", "!hasCoverageBit(keepCoverage, coverageSnapshot) || retErr != nil", "\n\t\t\tespalierFlaky()")},
	}},
	{KnownFailures, "-keepgoing ends a target at its first failure", []anchor{
		{"worker.go", "call of the fuzz function in RunFuzzWorker",
			after(within("", "RunFuzzWorker", "err := fn(e)"), "\n\t\t\terr = espalierFilter(err)")},
		{"fuzz.go", "function newCoordinator with a parameter opts",
			atStart("newCoordinator", "(opts CoordinateFuzzingOpts)", "\n\topts.Seed = espalierSeeds(opts.Seed)")},
	}},
	{"baseline", "each turn gathers the baseline coverage again", []anchor{
		{"fuzz.go", "return of the coordinator in newCoordinator",
			before(within("", "newCoordinator", "return c, nil"), "c.warmupInputLeft = espalierBaseline(c.opts.Log, c.coverageMask, c.corpus.hashes, c.warmupInputCount, c.opts.Parallel)\n\t")},
		{"fuzz.go", "statement defer c.logStats() in CoordinateFuzzing",
			after(statement("", "CoordinateFuzzing", "defer c.logStats()"), "\n\tdefer func() { espalierKeepBaseline(c.coverageMask, c.corpus.hashes, c.warmupRun()) }()")},
	}},
	{"lifeline", "fuzzing may outlive a corpusgen that is killed", []anchor{
		{"fuzz.go", "function newCoordinator with a parameter opts",
			atStart("newCoordinator", "(opts CoordinateFuzzingOpts)", "\n\tespalierWatch()")},
	}},
}

// find returns the changes of all edits, by file, or else says what the sources lack.
func (p part) find(sources map[string]*source) (found map[string][]change, lost string) {
	found = map[string][]change{}
	for _, a := range p.edits {
		s := sources[a.file]
		if s == nil {
			return nil, fmt.Sprintf("internal/fuzz has no %s", a.file)
		}
		changes := a.find(s)
		if len(changes) == 0 {
			return nil, fmt.Sprintf("%s has no %s", strings.TrimPrefix(filepath.ToSlash(sourcePath("", a.file)), "src/"), a.name)
		}
		found[a.file] = append(found[a.file], changes...)
	}
	return found, ""
}

// takeInput makes the coordinator take the input that was run, instead of repeating the
// mutations of the input that it gave.
func takeInput(s *source) []change {
	fn := s.function("workerClient", "fuzz")
	if fn == nil {
		return nil
	}
	count := only(s.find(fn.Body, "numMutations := ((resp.Count - 1) % chainedMutations) + 1"))
	loops := s.loops(fn.Body, "wc.m.mutate(valuesOut, ")
	if count == nil || len(loops) != 1 || strings.TrimSpace(s.between(count, loops[0])) != "" {
		return nil
	}
	return []change{{count.Pos(), loops[0].End(), "espalierTake(mem, valuesOut)"}}
}

// traceComparisons makes the functions that instrumented code calls before comparisons call
// espalier.trace.
func traceComparisons(s *source) []change {
	var changes []change
	fill := func(name, operand, body string) {
		fn := s.function("", name)
		if fn == nil || len(fn.Body.List) != 0 || s.of(fn.Type.Params) != fmt.Sprintf("(arg0, arg1 %s, fakePC uint)", operand) {
			return
		}
		changes = append(changes, change{fn.Body.Pos(), fn.Body.End(), "{ " + body + " }"})
	}
	for size := 1; size <= 8; size *= 2 {
		operand := fmt.Sprintf("uint%d", 8*size)
		number := "espalier.trace.Number(fakePC, uint64(arg0), uint64(arg1), %d, %t)"
		fill(fmt.Sprintf("libfuzzerTraceCmp%d", size), operand, fmt.Sprintf(number, size, false))
		fill(fmt.Sprintf("libfuzzerTraceConstCmp%d", size), operand, fmt.Sprintf(number, size, true))
	}
	fill("libfuzzerHookStrCmp", "string", "espalier.trace.Text(fakePC, arg0, arg1)")
	fill("libfuzzerHookEqualFold", "string", "espalier.trace.Text(fakePC, arg0, arg1)")
	if len(changes) != 10 {
		return nil
	}
	return changes
}
