package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runShow(ctx context.Context, args []string) error {
	return session.Run(ctx, "show", args, func(s *session.Session) {
		s.DefineVerbose()
	}, (*session.Session).NameFiles, func(s *session.Session) error {
		return corpora.Show(ctx, s)
	})
}
