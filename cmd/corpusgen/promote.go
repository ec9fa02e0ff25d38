package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "promote",
	summary: "turn corpus entries into code of the target",
	usage:   usage("promote"),
	run:     runPromote,
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
