package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "recode",
	summary: "rewrite corpus entries that do not spell out their values",
	usage:   usage("recode"),
	run:     runRecode,
})

func runRecode(ctx context.Context, args []string) error {
	r := &corpora.Recoder{}
	s, err := session.New(ctx, "recode", args, func(s *session.Session) {
		s.Own.BoolVar(&r.Write, "w", false, "")
		s.Own.BoolVar(&s.Verbose, "v", false, "")
	}, func(*session.Session) error { return nil })
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return s.Each(ctx, r.Target)
}
