package main

import (
	"context"
	"fmt"
	"os"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

func runCover(ctx context.Context, args []string) error {
	c := &coverage.Coverer{Total: coverage.Profile{}}
	return session.Run(ctx, "cover", args, func(s *session.Session) {
		s.DefineVerbose()
		s.DefineCache()
		s.Own.StringVar(&c.Corpus, "corpus", "", "")
		s.Own.StringVar(&c.Diff, "diff", "", "")
		s.Own.StringVar(&c.Packages, "coverpkg", "", "")
		s.Own.StringVar(&c.Profile, "coverprofile", "", "")
		session.DefineForce(s.Own)
		c.Session = s
	}, func(*session.Session) error { return check(c) }, func(s *session.Session) error {
		return c.Run(ctx)
	})
}

// check checks the values of flags.
func check(c *coverage.Coverer) error {
	for flag, dir := range map[string]string{"corpus": c.Corpus, "diff": c.Diff} {
		if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
			return session.UsageError{Msg: fmt.Sprintf("-%s: %s is not a directory", flag, dir)}
		}
	}
	if c.Profile != "" {
		if err := atomicfile.Replaceable(c.Profile, "mode: "); err != nil {
			return session.UsageError{Msg: fmt.Sprintf("-coverprofile: %v", err)}
		}
	}
	return nil
}
