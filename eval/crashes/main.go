// Command crashes has go test -fuzz and corpusgen fuzz look for crashes that are known: of public
// modules, in a version before the fix. Run it in the directory eval:
//
//	go run ./crashes -verify [-only REGEXP] [-results DIR] [-markdown]
//	go run ./crashes [-only REGEXP] [-results DIR] [-cpu SECONDS] [-seeds N] [-again] [-markdown]
//	go run ./crashes -report [-verify] [-results DIR] [-markdown]
//
// The crashes are in crashes.tsv: a name, the module with its versions before and after the fix,
// the package, the fuzz target, a reference, the kind, and what goes wrong. The target is the
// module's own, or the one in testdata/NAME/target_test.go, which replaces the tests of the
// package. The file testdata/NAME/witness is an input that crashes before the fix, and not after
// it. No engine has seen it. With -verify, only the witnesses run, in both versions.
//
// Otherwise, each engine fuzzes each target -seeds times, with one worker, until it has used its
// CPU seconds or has found the crash. All its processes count. What is compiled is in the build
// cache. A failure is the known crash if a plain test binary fails at the same place for its input
// as for the witness: a panic in the same function, a stack overflow, or more time or memory than a
// limit. Other failures are counted. go test -fuzz then starts again, and corpusgen fuzz continues
// (-keepgoing).
//
// In the end, and with -report at once, it prints a table of all results.
package main

import (
	"context"
	"flag"
	"io"
	"regexp"
	"slices"

	"github.com/espalier-go/espalier/eval/others"
)

func main() {
	var s study
	flag.BoolVar(&s.markdown, "markdown", false, "print the table as Markdown")
	flag.BoolVar(&s.verify, "verify", false, "run only the witnesses")
	flag.IntVar(&s.seeds, "seeds", 1, "how often each engine fuzzes a target")
	others.Main("crashes", &s)
}

type study struct {
	markdown, verify bool
	seeds            int
}

func (*study) Subjects() (names []string) {
	for _, c := range crashes() {
		names = append(names, c.name)
	}
	return names
}

func (s *study) File(name string) string {
	if s.verify {
		return name + ".witness.json"
	}
	return name + ".json"
}

func (s *study) Run(ctx context.Context, lab *others.Lab, name, file string) error {
	all := crashes()
	r := runner{lab, all[slices.IndexFunc(all, func(c crash) bool { return c.name == name })]}
	var res any
	if s.verify {
		res = r.verify(ctx)
	} else {
		res = r.result(ctx, s.seeds)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return others.Keep(file, res)
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	if s.verify {
		return s.printWitnesses(out, results, matching)
	}
	return s.printReport(out, results, matching)
}
