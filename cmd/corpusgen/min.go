package main

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runMin(ctx context.Context, args []string) error {
	m := &coverage.Minimizer{}
	return session.Run(ctx, "min", args, func(s *session.Session) {
		s.Own.StringVar(&s.Dir, "o", "", "")
		s.DefineVerbose()
		s.Own.BoolVar(&m.Write, "w", false, "")
		s.DefineCache()
		s.Own.IntVar(&m.Strength, "t", 2, "")
		s.Own.StringVar(&m.Packages, "coverpkg", "", "")
		m.Session = s
	}, func(*session.Session) error {
		switch {
		case m.Strength < 0 || m.Strength > 4:
			return session.UsageError{Msg: fmt.Sprintf("-t %d: want 0 to 4", m.Strength)}
		case m.Write && m.Dir != "":
			return session.UsageError{Msg: "-o and -w: choose one"}
		}
		return nil
	}, func(s *session.Session) error {
		return s.Each(ctx, m.Target)
	})
}
