package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "recode",
	summary: "rewrite corpus entries that do not spell out their values",
	usage: `usage: corpusgen recode [-w] [flags] [packages]

Recode finds the entries of testdata/fuzz/FuzzXxx whose bytes are not those that
the target's generator makes of their value: entries of an earlier generator, of
a fuzzer, or old inputs of a target that uses headers.Valid. Such an entry
depends on what the generator makes of bytes that it has not written. With -w,
recode rewrites it: it writes a new entry of the same value, then removes the
old file. Without -w, it says what it would do.

An entry that stands for no value, and one that is a link, stays as it is.

For example:

	corpusgen recode -w ./...

The flags are:

	-w
		write the entries
	-v
		print the names of the old and the new file of each entry
` + sessionUsage + `
The exit status is 1 if an entry stands for no value, or something else went
wrong.
`,
	run: runRecode,
})

func runRecode(ctx context.Context, args []string) error {
	r := &corpora.Recoder{}
	s, err := session.New(ctx, "recode", args, func(s *session.Session) {
		s.Own.BoolVar(&r.Write, "w", false, "")
		s.Own.BoolVar(&s.Verbose, "v", false, "")
	}, func(*session.Session) error { return nil })
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return s.Each(ctx, r.Target)
}
