package main

import (
	"context"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "show",
	summary: "print the values and choices that corpus entries stand for",
	usage:   usage("show"),
	run:     runShow,
})

func runShow(ctx context.Context, args []string) error {
	var files []session.EntryFile
	s, err := session.New(ctx, "show", args, func(s *session.Session) {
		s.Own.BoolVar(&s.Verbose, "v", false, "")
	}, func(s *session.Session) (err error) {
		files, err = session.EntryFiles(ctx, s.Packages)
		s.Files, s.Packages = files, session.PackagesOf(files)
		return err
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return corpora.Show(ctx, s, files)
}
