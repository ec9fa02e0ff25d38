package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runShow(ctx context.Context, args []string) error {
	var files []session.EntryFile
	return session.Run(ctx, "show", args, func(s *session.Session) {
		s.DefineVerbose()
	}, func(s *session.Session) (err error) {
		files, err = session.EntryFiles(ctx, s.Packages)
		s.Files, s.Packages = files, session.PackagesOf(files)
		return err
	}, func(s *session.Session) error {
		return corpora.Show(ctx, s, files)
	})
}
