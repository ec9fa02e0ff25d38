package main

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "seed",
	summary: "add entries made by a target's own generator to testdata/fuzz",
	usage: `usage: corpusgen seed [flags] [packages]

Seed makes each fuzz target generate N distinct values and adds them, encoded,
to the target's seed corpus: one file per value in testdata/fuzz/FuzzXxx, where
go test and go test -fuzz find them. Seed needs targets that use fuzzext:

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

For example:

	corpusgen seed -n 20 -fuzz Insert ./...

The flags are:

	-n N
		make N entries per target, at least 1 (default 100)
	-seed S
		start the random stream at S (default 1)
	-o dir
		write to dir/FuzzXxx instead of testdata/fuzz/FuzzXxx. If there
		are several packages, to dir/IMPORTPATH/FuzzXxx
	-v
		print the name of each new file
` + sessionUsage + `
Seed continues with the next target if one fails, and exits with status 1 if
something went wrong with any. It is no failure if there are fewer than N
values, or fewer that are valid: seed says so, and writes those there are.
`,
	run: runSeed,
})

func runSeed(ctx context.Context, args []string) error {
	r := &corpora.Seeder{}
	s, err := session.New(ctx, "seed", args, func(s *session.Session) {
		s.Own.IntVar(&r.N, "n", 100, "")
		s.DefineOutput()
	}, func(*session.Session) error {
		if r.N < 1 {
			return session.UsageError{Msg: fmt.Sprintf("-n %d: at least one entry is needed", r.N)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return s.Each(ctx, r.Target)
}
