package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/treediff"
	"github.com/espalier-go/espalier/internal/job"
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

// maxShown is how many bytes of Go code show prints of a value.
const maxShown = 64 << 10

func runShow(ctx context.Context, args []string) error {
	var files []entryFile
	s, err := newSession(ctx, "show", args, func(s *session) {
		s.Own.BoolVar(&s.v, "v", false, "")
	}, func(s *session) (err error) {
		files, err = entryFiles(ctx, s.Packages)
		s.files, s.Packages = files, packagesOf(files)
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()
	entries, err := s.readFiles(ctx, files, job.Read{Run: true, Trees: true, Values: maxShown})
	for _, e := range entries {
		s.emit(e.target.entryEvent("entry", e.Entry))
		if broken := e.broken(); broken != nil {
			s.complain(broken)
			err = errReported
			continue
		}
		s.printf("%s", entryText(e, s.v))
	}
	return err
}

// entryText returns what show prints of an entry.
func entryText(e fileEntry, lines bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s\n", e.file.name, e.Status, count(len(e.Tree), "choice", "choices"), count(len(e.Data), "byte", "bytes"))
	part := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %s:\n%s\n", title, indent(indent(text)))
		}
	}
	part("value", e.Value)
	if tree := choices.Tree(e.Tree); lines {
		part("choices", treediff.Lines(tree))
	} else {
		part("choices", tree.String())
	}
	part("labels", strings.Join(e.Labels, ", "))
	part("because", e.Why)
	return b.String()
}
