package corpora

import (
	"context"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// Show is `corpusgen show`.
func Show(ctx context.Context, args []string) error {
	s := session.New("show")
	s.DefineVerbose()
	return s.Run(ctx, args, s.NameFiles, func(ctx context.Context) error { return show(ctx, s) })
}

// show prints what the entries in the files of a session stand for.
func show(ctx context.Context, s *session.Session) error {
	entries, err := s.ReadFiles(ctx, job.Read{Run: true, Trees: true, Values: session.MaxShown})
	for _, e := range entries {
		s.Emit(e.Target.EntryEvent("entry", e.Entry))
		if broken := e.Broken(); broken != nil {
			s.Complain(broken)
			err = session.ErrReported
			continue
		}
		s.Printf("%s", entryText(e, s.Verbose))
	}
	return err
}

// entryText returns what show prints of an entry.
func entryText(e session.FileEntry, lines bool) string {
	var b strings.Builder
	if e.Status == job.Plain {
		fmt.Fprintf(&b, "%s: arguments of a target without a generator\n", e.File.Name)
	} else {
		fmt.Fprintf(&b, "%s: %s, %s, %s\n", e.File.Name, e.Status,
			session.Count(len(e.Tree), "choice", "choices"), session.Count(len(e.Data), "byte", "bytes"))
	}
	part := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %s:\n%s\n", title, session.Indent(session.Indent(text)))
		}
	}
	part("value", e.Value)
	if tree := choices.Tree(e.Tree); lines {
		part("choices", treeLines(tree))
	} else {
		part("choices", tree.String())
	}
	part("labels", strings.Join(e.Labels, ", "))
	part("because", e.Why)
	return b.String()
}
