package main

import (
	"context"
	"fmt"
	"os"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

var _ = register(&command{
	name:    "cover",
	summary: "print what code a target's corpus covers, and what it does not reach",
	usage: `usage: corpusgen cover [flags] [packages]

Cover runs each fuzz target on its corpus and prints how many of the statements
of the code under test the corpus reaches, in all and in each function. Then it
lists what no entry reaches in functions that entries do reach, the largest
parts first. The next entry to write may be one of those. The corpus is
testdata/fuzz/FuzzXxx and what the target gives to f.Add or fuzzext.Add, but not
the seeds that fuzzext.Fuzz chooses by itself. The property runs on the values
of the entries only, not on variants.

The code under test is the package of the target, and the packages of its module
that its tests import. What runs before the property, such as init functions and
the generator, counts, too, as it does for go test -cover.

For example:

	corpusgen cover -o cover.html ./...
	corpusgen cover -cache -fuzz Insert ./tree

The flags are:

	-cache
		run also the entries in the engine's cache
	-corpus dir
		run the entries in dir/FuzzXxx, as -o of other commands writes
		them, instead of those in testdata/fuzz/FuzzXxx. Targets
		without such a directory are left out
	-diff dir
		compare with the corpus in dir/FuzzXxx: print what only one of
		the two reaches
	-coverpkg patterns
		measure the packages that these patterns match, separated by
		commas, as far as the tests import them
	-coverprofile file
		write a profile of all targets for go tool cover
	-o file
		write the source of all covered packages as a page that shows what
		is reached, as go tool cover -html does
	-v
		print all parts and functions that are not reached, and functions
		by target
` + sessionUsage + `
But cover runs their corpora like any other.

An entry for which the property fails counts. One with which it ends the process
does not: nobody knows what it reaches. Cover overwrites no file but those that
it, or go tool cover, has written.
`,
	run: runCover,
})

func runCover(ctx context.Context, args []string) error {
	c := &coverage.Coverer{Total: coverdata.Profile{}}
	s, err := session.New(ctx, "cover", args, func(s *session.Session) {
		s.Own.BoolVar(&s.Verbose, "v", false, "")
		s.Own.BoolVar(&c.Cache, "cache", false, "")
		s.Own.StringVar(&c.Corpus, "corpus", "", "")
		s.Own.StringVar(&c.Diff, "diff", "", "")
		s.Own.StringVar(&c.Packages, "coverpkg", "", "")
		s.Own.StringVar(&c.Profile, "coverprofile", "", "")
		s.Own.StringVar(&c.Page, "o", "", "")
		c.Session = s
	}, func(*session.Session) error { return check(c) })
	if err != nil {
		return err
	}
	defer s.Close()
	return c.Run(ctx)
}

// check checks the values of flags.
func check(c *coverage.Coverer) error {
	for flag, dir := range map[string]string{"corpus": c.Corpus, "diff": c.Diff} {
		if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
			return session.UsageError{Msg: fmt.Sprintf("-%s: %s is not a directory", flag, dir)}
		}
	}
	for _, f := range []struct{ flag, path, mark string }{
		{"coverprofile", c.Profile, "mode: "}, {"o", c.Page, "Go Coverage Report"},
	} {
		if f.path == "" {
			continue
		}
		if err := atomicfile.Replaceable(f.path, f.mark); err != nil {
			return session.UsageError{Msg: fmt.Sprintf("-%s: %v", f.flag, err)}
		}
	}
	return nil
}
