package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runDiff(ctx context.Context, args []string) error {
	return session.Run(ctx, "diff", args, func(*session.Session) {}, func(s *session.Session) error {
		if len(s.Packages) != 2 {
			return session.UsageError{Msg: "name two files"}
		}
		err := s.NameFiles()
		switch {
		case err != nil:
			return err
		case len(s.Files) != 2:
			return session.UsageError{Msg: "name two files, not directories"}
		case s.Files[0].Target != s.Files[1].Target:
			return session.UsageError{Msg: "the files are of two targets: " + s.Files[0].Target + " and " + s.Files[1].Target}
		}
		return nil
	}, func(s *session.Session) error {
		return corpora.Diff(ctx, s)
	})
}
