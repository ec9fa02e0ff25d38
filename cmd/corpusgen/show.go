package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "show",
	summary: "print the values and choices that corpus entries stand for",
	usage: `usage: corpusgen show [flags] FILE|DIR...

Show prints, for each entry of a corpus, the value that it stands for as Go
code, the choices that make the value, and what the property says of it: valid,
invalid (the property does not assume the value), failing, hanging or fatal (the
property ends the process), with the labels that it gives to the value. An entry
that the generator rejects has no value.

The entries are files, or those in directories, of testdata/fuzz/FuzzXxx or of
the engine's cache.
` + savedUsage + `
For example:

	corpusgen show testdata/fuzz/FuzzInsert

The flags are:

	-v
		print choices one in each line, those below another indented
` + sessionUsage + `
The exit status is 1 if an entry stands for no value.
`,
	run: runShow,
})

func runShow(ctx context.Context, args []string) error {
	var files []session.EntryFile
	s, err := session.New(ctx, "show", args, func(s *session.Session) {
		s.Own.BoolVar(&s.Verbose, "v", false, "")
	}, func(s *session.Session) (err error) {
		files, err = session.EntryFiles(ctx, s.Packages)
		s.Files, s.Packages = files, session.PackagesOf(files)
		return err
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return corpora.Show(ctx, s, files)
}
