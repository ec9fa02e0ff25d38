// Command races runs corpusgen test on concurrency bugs of modules that others wrote: on the
// version before the bug was fixed, where the test must fail, and on the version after it, where it
// must pass. Run it in the directory eval:
//
//	go run ./races [-only REGEXP] [-results DIR] [-cpu SECONDS] [-again]
//	go run ./races -report [-results DIR] [-markdown]
//
// The bugs are in races.tsv: a name, the versions, the package, the mode (-race for bugs that show
// only as a data race), the kind, the issue or commit that fixes it, and what goes wrong. The test
// of each is testdata/NAME_test.go. It says what the code is for, and has no sleeps or loops by
// which it would find the bug more often. Modules come from the Go module proxy at full size. That
// one test replaces the tests of the package.
//
// For comparison, the test also runs without corpusgen: a thousand times, with -race, on schedules
// that chance makes.
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
	others.Main("races", &s)
}

type study struct{ markdown bool }

func (*study) Subjects() (names []string) {
	for _, b := range bugs() {
		names = append(names, b.name)
	}
	return names
}

func (*study) File(name string) string { return bug{name: name}.file() }

func (*study) Run(ctx context.Context, lab *others.Lab, name, file string) error {
	all := bugs()
	res := runner{lab}.bug(ctx, all[slices.IndexFunc(all, func(b bug) bool { return b.name == name })])
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return others.Keep(file, res)
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	return printReport(out, results, matching, s.markdown)
}
