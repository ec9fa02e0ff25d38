package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
	"github.com/espalier-go/espalier/internal/observe"
)

// defineMeasure defines the flags that stats and report share.
func defineMeasure(r *stats.Surveyor, s *session.Session) {
	s.Own.IntVar(&r.N, "n", 1000, "")
	s.Own.IntVar(&r.Strength, "t", 2, "")
	s.DefineCache()
	s.Own.Uint64Var(&s.Seed, "seed", 1, "")
	s.Own.StringVar(&r.Observe, "observe", "", "")
	session.DefineForce(s.Own)
	s.Saved = true
}

// checkMeasure checks them.
func checkMeasure(r *stats.Surveyor) (err error) {
	switch {
	case r.N < 0:
		return session.UsageError{Msg: fmt.Sprintf("-n %d: must not be negative", r.N)}
	case r.Strength < 1 || r.Strength > 4:
		return session.UsageError{Msg: fmt.Sprintf("-t %d: must be from 1 to 4", r.Strength)}
	}
	if r.Observe == "" {
		return nil
	}
	if err := observe.Replaceable(r.Observe); err != nil {
		return session.UsageError{Msg: fmt.Sprintf("-observe: %v", err)}
	}
	r.Observe, err = filepath.Abs(r.Observe)
	return err
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
