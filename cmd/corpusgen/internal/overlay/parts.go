package overlay

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
)

// needed are the declarations of internal/fuzz that the files of the overlay refer to.
var needed = []string{"CorpusEntry", "coverage", "coverageSnapshot", "fuzzArgs",
	"fuzzMinimizeInput", "fuzzResponse", "godebugSeed", "sharedMem", "workerServer"}

// A part is one capability of the overlay. It is made if all its edits are possible.
type part struct {
	name  string
	loss  string // completes "continuing without it:"
	edits []anchor
}

// KnownFailures is the part that passes over failures in known places.
const KnownFailures = "known failures"

// Limits is the part that watches over the time and the memory of inputs.
const Limits = "limits"

// Apart is the part that runs entries of any directory.
const Apart = "entries apart"

// parts are the parts of the overlay. All build on the first; the others are independent of
// each other.
var parts = []part{
	{"inputs", "", []anchor{
		{"worker.go", "assignment to dur and err in (*workerServer).fuzz, the execution of an input",
			edit(after, within("workerServer", "fuzz", "dur, err = ws.fuzzFn(entry)"),
				"\n\t\terr = espalierDone(ws, mem, args, entry, dur, err)")},
		{"worker.go", "copy of the values in (*workerServer).fuzz",
			edit(after, statement("workerServer", "fuzz", "copy(vals, originalVals)"),
				"\n\tespalierBegin(ws, mem, vals)\n\tdefer espalierEnd(&resp)")},
		{"worker.go", "call of (*mutator).mutate in (*workerServer).fuzz",
			edit(instead, within("workerServer", "fuzz", "ws.m.mutate(vals, cap(mem.valueRef()))"),
				"espalierMutate(ws, mem, args, originalVals, vals)")},
		{"worker.go", "count of mutations and loop over (*mutator).mutate in " +
			"(*workerClient).fuzz, the repetition of mutations", takeInput},
	}},
	{"comparisons", "what the code compares its input with is not seen", []anchor{
		{"trace.go", "functions libfuzzerTraceCmp1 to 8, libfuzzerTraceConstCmp1 to 8, " +
			"libfuzzerHookStrCmp and libfuzzerHookEqualFold with empty bodies",
			comparisons(true, " espalier.trace.Number(fakePC, uint64(arg0), uint64(arg1), %d, %t) ",
				"(arg0, arg1 string, fakePC uint)", " espalier.trace.Text(fakePC, arg0, arg1) ")},
	}},
	{"minimization", "only -fuzzminimizetime bounds the minimization of interesting inputs", []anchor{
		{"fuzz.go", "return of an input in (*coordinator).peekMinimizeInput",
			edit(before, within("coordinator", "peekMinimizeInput", "return input, true"),
				"espalierBound(&input)\n\t")},
	}},
	{"messages", "executions are slower while new coverage is found", []anchor{
		{"worker.go", "JSON encoder and decoder in (*workerServer).serve",
			messages("workerServer", "serve", "ws.fuzzOut", "ws.fuzzIn")},
		{"worker.go", "JSON encoder and decoder in (*workerClient).callLocked",
			messages("workerClient", "callLocked", "wc.fuzzIn", "wc.fuzzOut")},
	}},
	{"statistics", "they may be incomplete", []anchor{
		{"worker.go", "return of serve in RunFuzzWorker",
			edit(before, within("", "RunFuzzWorker", "return srv.serve(ctx)"),
				"defer espalierReport()\n\t")},
	}},
	{"skips", "a target without fuzzext may skip all inputs, and nothing tells", []anchor{
		{"coverage.go", "function SnapshotCoverage without parameters",
			edit(inside, start("SnapshotCoverage", "()"), "\n\tespalierEnds()")},
	}},
	{KnownFailures, "-keepgoing ends a target at its first failure", []anchor{
		{"worker.go", "call of the fuzz function in RunFuzzWorker",
			edit(after, within("", "RunFuzzWorker", "err := fn(e)"), "\n\t\t\terr = espalierFilter(err, e)")},
		{"fuzz.go", "function newCoordinator with a parameter opts",
			edit(inside, start("newCoordinator", "(opts CoordinateFuzzingOpts)"),
				"\n\topts.Seed = espalierSeeds(opts.Seed)")},
	}},
	{Limits, "-limit-time and -limit-memory are not to be had, and no stack tells where an input hangs",
		[]anchor{{"worker.go", "call of time.AfterFunc in RunFuzzWorker", timer}}},
	{Apart, "inputs that end the process are not minimized", []anchor{
		{"fuzz.go", "function ReadCorpus with the parameters dir and types",
			edit(inside, start("ReadCorpus", "(dir string, types []reflect.Type)"),
				"\n\tdir = espalierCorpus(dir)")},
	}},
	{"directories", "if TestMain changes the directory, workers start there, and failing inputs " +
		"are where it is", []anchor{
		{"fuzz.go", "function CoordinateFuzzing with the parameters ctx and opts",
			edit(inside, start("CoordinateFuzzing", "(ctx context.Context, opts CoordinateFuzzingOpts)"),
				"\n\topts.CorpusDir = espalierCorpusDir(opts.CorpusDir)")},
		{"worker.go", "assignment to cmd.Dir in (*worker).start",
			edit(after, statement("worker", "start", "cmd.Dir = w.dir"), "\n\tespalierEnter(cmd)")},
	}},
	{"last words", "nothing tells why a worker ends before it fuzzes", []anchor{
		{"worker.go", "assignment to cmd.Env in (*worker).start",
			edit(before, statement("worker", "start", "cmd.Env = w.env[:len(w.env):len(w.env)]"),
				"espalierHear(w, cmd)\n\t")},
		{"worker.go", "error of a process that does not fuzz in (*worker).startAndPing",
			edit(before, within("worker", "startAndPing",
				`return fmt.Errorf("fuzzing process terminated without fuzzing: %w", err)`),
				"err = espalierHeard(w, err)\n\t\t")},
	}},
	{"unfinished inputs", "an input that still runs at the end is lost", []anchor{
		{"worker.go", "check of the context in (*worker).coordinate",
			edit(inside, ifBody("worker", "coordinate", "ctx.Err() != nil"),
				"\n\t\t\t\t\tespalierUnfinished(w.interrupted || w.waitErr != nil, entry)")},
	}},
	{"failing seeds", "the summary does not show the values of a failing seed that a target adds",
		[]anchor{{"fuzz.go", "check whether a seed has failed in CoordinateFuzzing",
			edit(inside, ifBody("", "CoordinateFuzzing", "c.warmupRun() && result.entry.IsSeed"),
				"\n\t\t\t\t\tespalierSeedFails(result.entry)")}}},
	{"baseline", "each turn gathers the baseline coverage again", []anchor{
		{"fuzz.go", "return of the coordinator in newCoordinator",
			edit(before, within("", "newCoordinator", "return c, nil"),
				"c.warmupInputLeft = espalierBaseline(c.opts.Log, c.coverageMask, "+
					"c.corpus.hashes, c.warmupInputCount, c.opts.Parallel)\n\t")},
		{"fuzz.go", "statement defer c.logStats() in CoordinateFuzzing",
			edit(after, statement("", "CoordinateFuzzing", "defer c.logStats()"),
				"\n\tdefer func() { espalierKeepBaseline(c.coverageMask, c.corpus.hashes, c.warmupRun()) }()")},
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
			return nil, fmt.Sprintf("%s has no %s",
				strings.TrimPrefix(filepath.ToSlash(sourcePath("", a.file)), "src/"), a.name)
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

// messages returns a finder that replaces the format in which a function writes to a pipe, and reads
// from another. The import of encoding/json stays used.
func messages(recv, function, out, in string) finder {
	return func(s *source) []change {
		enc := statement(recv, function, "enc := json.NewEncoder("+out+")")
		dec := statement(recv, function, "dec := json.NewDecoder(&contextReader{ctx: ctx, r: "+in+"})")
		changes := slices.Concat(
			edit(instead, enc, "enc, _ := espalierWriter("+out+"), json.NewEncoder")(s),
			edit(instead, dec, "dec := espalierReader(&contextReader{ctx: ctx, r: "+in+"})")(s))
		if len(changes) != 2 {
			return nil
		}
		return changes
	}
}

// timer replaces the engine's own limit of time by a clock that begins with the same limit.
func timer(s *source) []change {
	fn := s.function("", "RunFuzzWorker")
	if fn == nil {
		return nil
	}
	var found []ast.Node
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.of(call.Fun) == "time.AfterFunc" && len(call.Args) == 2 {
			found = append(found, call)
		}
		return true
	})
	call, ok := only(found).(*ast.CallExpr)
	if !ok {
		return nil
	}
	return []change{{call.Pos(), call.End(), "espalierWatch(" + s.of(call.Args[0]) + ")"}}
}

// comparisons returns a finder that puts code at the start of the functions that instrumented
// code calls before comparisons of numbers, whose size and whether one is a constant are filled
// in, and of texts. If empty is true, the functions must be empty.
//
// The functions for numbers must not let the stack grow. The compiler calls them in the conditions
// of range loops, where the address of the next element is in an integer: if the element is on the
// stack, and the stack moves, the loop goes on where it was.
func comparisons(empty bool, number, params, text string) finder {
	return func(s *source) (changes []change) {
		found := 0
		put := func(name, params, code string) {
			fn := s.function("", name)
			if fn != nil && s.of(fn.Type.Params) == params && (!empty || len(fn.Body.List) == 0) {
				found++
				at := fn.Body.Lbrace + 1
				changes = append(changes, change{at, at, code})
				if code != text && !strings.Contains(doc(fn), noSplit) {
					changes = append(changes, change{fn.Pos(), fn.Pos(), "\n" + noSplit + "\n"})
				}
			}
		}
		for size := 1; size <= 8; size *= 2 {
			params := fmt.Sprintf("(arg0, arg1 uint%d, fakePC uint)", 8*size)
			put(fmt.Sprintf("libfuzzerTraceCmp%d", size), params, fmt.Sprintf(number, size, false))
			put(fmt.Sprintf("libfuzzerTraceConstCmp%d", size), params, fmt.Sprintf(number, size, true))
		}
		put("libfuzzerHookStrCmp", params, text)
		put("libfuzzerHookEqualFold", params, text)
		if found != 10 {
			return nil
		}
		return changes
	}
}

// doc returns the comment of a function, with its directives.
func doc(fn *ast.FuncDecl) (text string) {
	if fn.Doc != nil {
		for _, c := range fn.Doc.List {
			text += c.Text + "\n"
		}
	}
	return text
}

// noSplit has the compiler leave out the check whether the stack must grow.
const noSplit = "//go:nosplit"
