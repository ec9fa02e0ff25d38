package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

var _ = register(&command{
	name:    "seed",
	summary: "add entries made by a target's own generator to testdata/fuzz",
	usage: `usage: corpusgen seed [-fuzz regexp] [-n N] [-seed S] [-v] [packages]

Seed makes each fuzz target whose name matches generate N distinct values and
adds them, encoded, to the target's seed corpus: one file per value in
testdata/fuzz/FuzzXxx, where go test and go test -fuzz find them. Seed needs
targets that use fuzzext:

	func FuzzInsert(f *testing.F) { f.Fuzz(fuzzext.Valid(gen, prop)) }

or fuzzext.Fuzz. The packages are those of go test. The default is the one in
the current directory. Seed does not write a value that the corpus holds
already, and never changes a file that exists. The same target, corpus and S
give the same entries.

If there are more than N values, seed prefers those that add most pairs of
choices to the corpus (combinatorial coverage of strength 2). To see which
values are valid, it runs the property on them. If the generator rejects some
values, or the property rejects them by T.Assume, seed writes only valid ones.
It then looks for more of them with a guide that learns from those found, and
from the corpus. If the property ends the process, by os.Exit or an error of the
runtime, all values count as valid.

The flags are:

	-fuzz regexp
		seed the targets whose names match, unanchored as in go test
		(default all)
	-n N
		make N entries per target, at least 1 (default 100)
	-seed S
		start the random stream at S (default 1)
	-v
		print the name of each new file

Seed continues with the next target if one fails, and exits with status 1 if
something went wrong with any. It is no failure if there are fewer than N
values, or fewer that are valid: seed says so, and writes those there are.
`,
	run: runSeed,
})

func runSeed(ctx context.Context, args []string) error {
	s := &seeder{}
	flags := flag.NewFlagSet("seed", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	fuzz := flags.String("fuzz", ".", "")
	flags.IntVar(&s.n, "n", 100, "")
	flags.Uint64Var(&s.seed, "seed", 1, "")
	flags.BoolVar(&s.verbose, "v", false, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return errHelp
	} else if err != nil {
		return usageError{err.Error()}
	}
	match, err := regexp.Compile(*fuzz)
	if err != nil {
		return usageError{fmt.Sprintf("-fuzz is not a regular expression: %v", err)}
	}
	if s.n < 1 {
		return usageError{fmt.Sprintf("-n %d: at least one entry is needed", s.n)}
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	for _, p := range patterns {
		if strings.HasPrefix(p, "-") {
			return usageError{fmt.Sprintf("flag %s comes after a package: flags go first", p)}
		}
	}

	pkgs, err := gotest.List(ctx, patterns)
	if err != nil {
		return err
	}
	pkgs, errs := selectTargets(pkgs, patterns, match)
	for _, err := range errs {
		s.complain(err)
	}
	_, dir, err := tempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	s.tmp = dir.Path
	for _, pkg := range pkgs {
		if err := s.seedPackage(ctx, pkg); err != nil {
			return err
		}
	}
	if s.failed {
		return errReported
	}
	return nil
}
