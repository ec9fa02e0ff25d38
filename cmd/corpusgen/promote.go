package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "promote",
	summary: "turn corpus entries into code of the target",
	usage: `usage: corpusgen promote [flags] FILE|DIR...

Promote prints code that keeps the values of corpus entries, so that they follow
the types and the generator when these change: a line for the fuzz target,
fuzzext.Add(f, gen, value). A value that cannot be written as Go code becomes a
line f.Add with its bytes. For values that failed in a fuzzext.Check, in
testdata/fuzzext/TestXxx, it is the option fuzzext.Examples(value).

For example:

	corpusgen promote -w testdata/fuzz/FuzzInsert/0a1b2c3d4e5f6071

The flags are:

	-test
		print a test instead, which runs fuzzext.Check with the value as
		its first example
	-w
		write the lines into the source, before the call of f.Fuzz, or
		the option into the call of fuzzext.Check. The entries stay
` + sessionUsage,
	run: runPromote,
})

func runPromote(ctx context.Context, args []string) error {
	var files []session.EntryFile
	var write, asTest bool
	s, err := session.New(ctx, "promote", args, func(s *session.Session) {
		s.Own.BoolVar(&write, "w", false, "")
		s.Own.BoolVar(&asTest, "test", false, "")
	}, func(s *session.Session) (err error) {
		if write && asTest {
			return session.UsageError{Msg: "-w writes lines for the fuzz target: use it without -test"}
		}
		files, err = session.EntryFiles(ctx, s.Packages)
		s.Files, s.Packages = files, session.PackagesOf(files)
		return err
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return corpora.Promote(ctx, s, files, write, asTest)
}
