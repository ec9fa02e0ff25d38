package main

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "min",
	summary: "find a small part of a corpus that covers what all of it does",
	usage: `usage: corpusgen min [flags] [packages]

Min looks for few entries of each target's corpus that together reach the same
code as all entries, and have the same combinations of choices (combinatorial
coverage, see stats). It prints how many there are. With -o it copies them to
another directory. With -w it removes the others from testdata/fuzz/FuzzXxx.

Each entry runs in a process of its own, with coverage as by corpusgen cover. If
no entry reaches any code, min measures the packages of other modules that the
tests import, too: what is tested may be there. Min takes the entry that adds
most, of equal ones the smallest, until none adds anything. What the target
gives to f.Add or fuzzext.Add stays in the code: an entry that adds nothing to
it is not needed. Of an entry that the property does not assume (T.Assume), only
the code that it reaches counts. An entry for which the property fails, does not
return or ends the process is always kept. One that failed once and no longer
does counts like any other. To keep it for good, put it into the code: see
corpusgen promote.

For example:

	corpusgen min -v ./...
	corpusgen min -w -fuzz Insert ./tree

The flags are:

	-o dir
		copy the entries to dir/FuzzXxx. If there are several packages,
		to dir/IMPORTPATH/FuzzXxx
	-w
		remove the other entries from testdata/fuzz/FuzzXxx
	-cache
		choose also from the entries in the engine's cache. With -w,
		copy those chosen to testdata/fuzz/FuzzXxx. The cache stays as
		it is
	-t T
		keep the combinations of T choices, up to 4 (default 2). 0 keeps
		the code that is reached only
	-coverpkg patterns
		measure the packages that these patterns match, separated by
		commas
	-v
		print for each entry that is kept what it adds
` + sessionUsage + `
But min reduces their corpora, too, by the code that is reached.

Min removes no file that has changed meanwhile, or that cannot be read as an
entry, and none at all if one that it keeps has changed. If it is interrupted,
the corpus has all that it needs, and perhaps more.
`,
	run: runMin,
})

func runMin(ctx context.Context, args []string) error {
	m := &coverage.Minimizer{}
	s, err := session.New(ctx, "min", args, func(s *session.Session) {
		s.Own.StringVar(&s.Dir, "o", "", "")
		s.Own.BoolVar(&s.Verbose, "v", false, "")
		s.Own.BoolVar(&m.Write, "w", false, "")
		s.Own.BoolVar(&m.Cache, "cache", false, "")
		s.Own.IntVar(&m.Strength, "t", 2, "")
		s.Own.StringVar(&m.Packages, "coverpkg", "", "")
		m.Session = s
	}, func(*session.Session) error {
		switch {
		case m.Strength < 0 || m.Strength > 4:
			return session.UsageError{Msg: fmt.Sprintf("-t %d: want 0 to 4", m.Strength)}
		case m.Write && m.Dir != "":
			return session.UsageError{Msg: "-o and -w: choose one"}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Each(ctx, m.Target)
}
