package overlay

import (
	"fmt"
	"go/ast"
	"strings"
)

// KnownFailures is the part that passes over failures in places that are known.
const KnownFailures = "known failures"

// parts are what the overlay does. All but the first are independent of each other.
var parts = []part{
	{"inputs", "", []editor{
		{"worker.go", "assignment to dur and err in (*workerServer).fuzz, the execution of an input",
			after[*ast.AssignStmt]("workerServer", "fuzz", "dur, err = ws.fuzzFn(entry)", "\n\t\tespalierDone(mem, args, dur, err)")},
		{"worker.go", "copy of the values in (*workerServer).fuzz",
			after[*ast.CallExpr]("workerServer", "fuzz", "copy(vals, originalVals)", "\n\tespalierBegin(ws, mem, vals)\n\tdefer espalierEnd(&resp)")},
		{"worker.go", "call of (*mutator).mutate in (*workerServer).fuzz",
			instead[*ast.CallExpr]("workerServer", "fuzz", "ws.m.mutate(vals, cap(mem.valueRef()))", "espalierMutate(ws, mem, args, originalVals, vals)")},
		{"worker.go", "loop over (*mutator).mutate in (*workerClient).fuzz, the repetition of mutations", takeInput},
	}},
	{"comparisons", "what the code compares its input with is not seen", []editor{
		{"trace.go", "functions libfuzzerTraceCmp1 to 8, libfuzzerTraceConstCmp1 to 8, libfuzzerHookStrCmp and libfuzzerHookEqualFold with empty bodies", traceComparisons},
	}},
	{"minimisation", "that of interesting inputs is bounded by -fuzzminimizetime only", []editor{
		{"fuzz.go", "return of an input in (*coordinator).peekMinimizeInput",
			before[*ast.ReturnStmt]("coordinator", "peekMinimizeInput", "return input, true", "espalierBound(&input)\n\t")},
	}},
	{KnownFailures, "-keepgoing ends a target at its first failure", []editor{
		{"worker.go", "call of the fuzz function in RunFuzzWorker",
			after[*ast.AssignStmt]("", "RunFuzzWorker", "err := fn(e)", "\n\t\t\terr = espalierFilter(err)")},
		{"fuzz.go", "function newCoordinator with a parameter opts", atStart("newCoordinator", "opts CoordinateFuzzingOpts", "\n\topts.Seed = espalierSeeds(opts.Seed)")},
	}},
	{"lifeline", "fuzzing may outlive a corpusgen that is killed", []editor{
		{"fuzz.go", "function newCoordinator with a parameter opts", atStart("newCoordinator", "opts CoordinateFuzzingOpts", "\n\tespalierWatch()")},
	}},
}

// after inserts text behind the first node of a function that has the given source; it
// must be the only one, unless they are calls of copy, which is made twice.
func after[N ast.Node](recv, function, source, text string) func(f *file) []change {
	return func(f *file) []change {
		n := only[N](f, recv, function, source)
		if n == nil {
			return nil
		}
		return []change{{n.End(), n.End(), text}}
	}
}

func before[N ast.Node](recv, function, source, text string) func(f *file) []change {
	return func(f *file) []change {
		n := only[N](f, recv, function, source)
		if n == nil {
			return nil
		}
		return []change{{n.Pos(), n.Pos(), text}}
	}
}

func instead[N ast.Node](recv, function, source, text string) func(f *file) []change {
	return func(f *file) []change {
		n := only[N](f, recv, function, source)
		if n == nil {
			return nil
		}
		return []change{{n.Pos(), n.End(), text}}
	}
}

// only returns the one node of a type in a function whose source is given: of several, one
// that is a statement of the function itself, if there is one only.
func only[N ast.Node](f *file, recv, function, source string) ast.Node {
	fn := f.function(recv, function)
	if fn == nil {
		return nil
	}
	found := find[N](f, fn.Body, source)
	if len(found) == 1 {
		return found[0]
	}
	var direct ast.Node
	for _, s := range fn.Body.List {
		if f.text(s) != source {
			continue
		}
		if direct != nil {
			return nil
		}
		direct = s
	}
	return direct
}

// atStart inserts text at the start of a function whose parameters are given.
func atStart(function, params, text string) func(f *file) []change {
	return func(f *file) []change {
		fn := f.function("", function)
		if fn == nil || strings.Trim(f.text(fn.Type.Params), "()") != params {
			return nil
		}
		at := fn.Body.Lbrace + 1
		return []change{{at, at, text}}
	}
}

// takeInput has the coordinator take the input that was run instead of mutating the one
// that it gave again.
func takeInput(f *file) []change {
	fn := f.function("workerClient", "fuzz")
	if fn == nil {
		return nil
	}
	var loops []*ast.ForStmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if loop, ok := n.(*ast.ForStmt); ok && len(loop.Body.List) == 1 &&
			strings.HasPrefix(f.text(loop.Body.List[0]), "wc.m.mutate(valuesOut, ") {
			loops = append(loops, loop)
		}
		return true
	})
	counts := find[*ast.AssignStmt](f, fn.Body, "numMutations := ((resp.Count - 1) % chainedMutations) + 1")
	if len(loops) != 1 || len(counts) != 1 {
		return nil
	}
	return []change{
		{counts[0].Pos(), counts[0].End(), ""},
		{loops[0].Pos(), loops[0].End(), "espalierTake(mem, valuesOut)"},
	}
}

// traceComparisons has the functions that instrumented code calls before comparisons tell
// espalier.trace.
func traceComparisons(f *file) []change {
	var changes []change
	fill := func(name string, operand, body string) bool {
		fn := f.function("", name)
		if fn == nil || len(fn.Body.List) != 0 {
			return false
		}
		if got := f.text(fn.Type.Params); got != fmt.Sprintf("(arg0, arg1 %s, fakePC uint)", operand) {
			return false
		}
		changes = append(changes, change{fn.Body.Pos(), fn.Body.End(), "{ " + body + " }"})
		return true
	}
	for size := 1; size <= 8; size *= 2 {
		for _, kind := range []string{"Cmp", "ConstCmp"} {
			if !fill(fmt.Sprintf("libfuzzerTrace%s%d", kind, size), fmt.Sprintf("uint%d", 8*size),
				fmt.Sprintf("espalier.trace.Number(fakePC, uint64(arg0), uint64(arg1), %d, %t)", size, kind == "ConstCmp")) {
				return nil
			}
		}
	}
	for _, name := range []string{"libfuzzerHookStrCmp", "libfuzzerHookEqualFold"} {
		if !fill(name, "string", "espalier.trace.Text(fakePC, arg0, arg1)") {
			return nil
		}
	}
	return changes
}
