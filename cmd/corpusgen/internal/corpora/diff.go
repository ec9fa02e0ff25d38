package corpora

import (
	"context"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// Diff prints what differs between the entries in the two files of a session.
func Diff(ctx context.Context, s *session.Session) error {
	entries, err := s.ReadFiles(ctx, job.Read{Trees: true})
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := e.Broken(); err != nil {
			return err
		}
	}
	text := treeDiff(s.Files[0].Name, choices.Tree(entries[0].Tree), s.Files[1].Name, choices.Tree(entries[1].Tree))
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
