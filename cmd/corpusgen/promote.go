package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runPromote(ctx context.Context, args []string) error {
	var write, asTest bool
	return session.Run(ctx, "promote", args, func(s *session.Session) {
		s.Own.BoolVar(&write, "w", false, "")
		s.Own.BoolVar(&asTest, "test", false, "")
	}, func(s *session.Session) error {
		if write && asTest {
			return session.UsageError{Msg: "-w writes lines for the fuzz target: use it without -test"}
		}
		return s.NameFiles()
	}, func(s *session.Session) error {
		return corpora.Promote(ctx, s, write, asTest)
	})
}
