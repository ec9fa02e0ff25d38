package main

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runSeed(ctx context.Context, args []string) error {
	r := &corpora.Seeder{}
	return session.Run(ctx, "seed", args, func(s *session.Session) {
		s.Own.IntVar(&r.N, "n", 100, "")
		s.DefineOutput()
	}, func(*session.Session) error {
		if r.N < 1 {
			return session.UsageError{Msg: fmt.Sprintf("-n %d: at least one entry is needed", r.N)}
		}
		return nil
	}, func(s *session.Session) error {
		r.Session = s
		return s.Each(ctx, r.Target)
	})
}
