package main

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "seed",
	summary: "add entries made by a target's own generator to testdata/fuzz",
	usage:   usage("seed"),
	run:     runSeed,
})

func runSeed(ctx context.Context, args []string) error {
	r := &corpora.Seeder{}
	s, err := session.New(ctx, "seed", args, func(s *session.Session) {
		s.Own.IntVar(&r.N, "n", 100, "")
		s.DefineOutput()
	}, func(*session.Session) error {
		if r.N < 1 {
			return session.UsageError{Msg: fmt.Sprintf("-n %d: at least one entry is needed", r.N)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return s.Each(ctx, r.Target)
}
