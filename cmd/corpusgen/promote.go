package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runPromote(ctx context.Context, args []string) error {
	var files []session.EntryFile
	var write, asTest bool
	return session.Run(ctx, "promote", args, func(s *session.Session) {
		s.Own.BoolVar(&write, "w", false, "")
		s.Own.BoolVar(&asTest, "test", false, "")
	}, func(s *session.Session) (err error) {
		if write && asTest {
			return session.UsageError{Msg: "-w writes lines for the fuzz target: use it without -test"}
		}
		files, err = session.EntryFiles(ctx, s.Packages)
		s.Files, s.Packages = files, session.PackagesOf(files)
		return err
	}, func(s *session.Session) error {
		return corpora.Promote(ctx, s, files, write, asTest)
	})
}
