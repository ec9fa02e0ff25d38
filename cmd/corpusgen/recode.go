package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runRecode(ctx context.Context, args []string) error {
	r := &corpora.Recoder{}
	return session.Run(ctx, "recode", args, func(s *session.Session) {
		s.Own.BoolVar(&r.Write, "w", false, "")
		s.DefineVerbose()
	}, func(*session.Session) error { return nil }, func(s *session.Session) error {
		r.Session = s
		return s.Each(ctx, r.Target)
	})
}
