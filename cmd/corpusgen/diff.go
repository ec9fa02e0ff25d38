package main

import (
	"context"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/treediff"
	"github.com/espalier-go/espalier/internal/job"
)

var _ = register(&command{
	name:    "diff",
	summary: "print what differs between two corpus entries, as choices",
	usage: `usage: corpusgen diff [flags] FILE FILE

Diff prints the choices that differ between the values of two corpus entries of
one target, as a unified diff with one choice in each line, those below another
indented.
` + savedUsage + `
For example:

	corpusgen diff testdata/fuzz/FuzzInsert/0a1b2c3d4e5f6071 testdata/fuzz/FuzzInsert/8899aabbccddeeff

The flags are:

` + sessionUsage + `
The exit status is 0 if the choices are the same, and 1 if they differ.
`,
	run: runDiff,
})

func runDiff(ctx context.Context, args []string) error {
	var files []entryFile
	s, err := newSession(ctx, "diff", args, func(*session) {}, func(s *session) (err error) {
		if len(s.Packages) != 2 {
			return usageError{"name two files"}
		}
		files, err = entryFiles(ctx, s.Packages)
		switch {
		case err != nil:
			return err
		case len(files) != 2:
			return usageError{"name two files, not directories"}
		case files[0].target != files[1].target:
			return usageError{"the files are of two targets: " + files[0].target + " and " + files[1].target}
		}
		s.files, s.Packages = files, packagesOf(files)
		return nil
	})
	if err != nil {
		return err
	}
	defer s.close()
	entries, err := s.readFiles(ctx, files, job.Read{Trees: true})
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := e.broken(); err != nil {
			return err
		}
	}
	text := treediff.Unified(files[0].name, choices.Tree(entries[0].Tree), files[1].name, choices.Tree(entries[1].Tree))
	s.emit(diffEvent{entries[0].target.event("diff"), files[0].name, files[1].name, text})
	if text == "" {
		return nil
	}
	s.printf("%s", text)
	return errReported
}
