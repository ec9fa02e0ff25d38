package corpora

import (
	"context"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// Diff is `corpusgen diff`.
func Diff(ctx context.Context, args []string) error {
	s := session.New("diff")
	return s.Run(ctx, args, func() error {
		if len(s.Packages) != 2 {
			return session.Usagef("name two files")
		}
		err := s.NameFiles()
		switch {
		case err != nil:
			return err
		case len(s.Files) != 2:
			return session.Usagef("name two files, not directories")
		case s.Files[0].Target != s.Files[1].Target:
			return session.Usagef("the files are of two targets: %s and %s", s.Files[0].Target,
				s.Files[1].Target)
		}
		return nil
	}, func(ctx context.Context) error { return diffFiles(ctx, s) })
}

// diffFiles prints what differs between the entries in the two files of a session.
func diffFiles(ctx context.Context, s *session.Session) error {
	entries, err := s.ReadFiles(ctx, job.Read{Trees: true})
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := e.Broken(); err != nil {
			return err
		}
	}
	text := unified(s.Files[0].Name, linesOf(entries[0]), s.Files[1].Name, linesOf(entries[1]))
	s.Emit(DiffEvent{entries[0].Target.Head("diff"), s.Files[0].Name, s.Files[1].Name, text})
	if text == "" {
		return nil
	}
	s.Printf("%s", text)
	return session.ErrReported
}

// A DiffEvent says in what two entries differ.
type DiffEvent struct {
	session.Head
	Old, New string // files
	Diff     string
}

// treeLines returns the choices of t, one in each line, those below another indented.
func treeLines(t choices.Tree) string {
	var b strings.Builder
	for i, around := range t.Walk() {
		b.WriteString(strings.Repeat("  ", len(around)))
		b.WriteString(t[i].Mark().String())
		b.WriteByte('\n')
	}
	return b.String()
}

// unified returns a unified diff of two texts with names, or "" if no line differs.
func unified(oldName, old, newName, new string) string {
	return string(diff.Diff(oldName, []byte(old), newName, []byte(new)))
}

// linesOf returns an entry as lines that diff compares: its choices, or its value if it has none.
func linesOf(e session.FileEntry) string {
	if e.Status == job.Plain {
		return e.Value + "\n"
	}
	return treeLines(choices.Tree(e.Tree))
}
