package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runDiff(ctx context.Context, args []string) error {
	var files []session.EntryFile
	return session.Run(ctx, "diff", args, func(*session.Session) {}, func(s *session.Session) (err error) {
		if len(s.Packages) != 2 {
			return session.UsageError{Msg: "name two files"}
		}
		files, err = session.EntryFiles(ctx, s.Packages)
		switch {
		case err != nil:
			return err
		case len(files) != 2:
			return session.UsageError{Msg: "name two files, not directories"}
		case files[0].Target != files[1].Target:
			return session.UsageError{Msg: "the files are of two targets: " + files[0].Target + " and " + files[1].Target}
		}
		s.Files, s.Packages = files, session.PackagesOf(files)
		return nil
	}, func(s *session.Session) error {
		return corpora.Diff(ctx, s, files)
	})
}
