package main

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
)

// defineMeasure defines the flags that stats and report share.
func defineMeasure(r *stats.Surveyor, s *session.Session) {
	s.Own.IntVar(&r.N, "n", 1000, "")
	s.Own.IntVar(&r.Strength, "t", 2, "")
	s.DefineCache()
	s.Own.Uint64Var(&s.Seed, "seed", 1, "")
	s.Saved = true
}

// checkMeasure checks them.
func checkMeasure(r *stats.Surveyor) error {
	switch {
	case r.N < 0:
		return session.UsageError{Msg: fmt.Sprintf("-n %d: must not be negative", r.N)}
	case r.Strength < 1 || r.Strength > 4:
		return session.UsageError{Msg: fmt.Sprintf("-t %d: must be from 1 to 4", r.Strength)}
	}
	return nil
}

func runStats(ctx context.Context, args []string) error {
	r := &stats.Surveyor{}
	return session.Run(ctx, "stats", args, func(s *session.Session) {
		defineMeasure(r, s)
		s.DefineVerbose()
		s.Own.Func("require", "", func(text string) error {
			q, err := stats.ParseRequirement(text)
			r.Required = append(r.Required, q)
			return err
		})
	}, func(*session.Session) error { return checkMeasure(r) }, func(s *session.Session) error {
		r.Session = s
		return r.PrintAll(ctx)
	})
}
