package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/report"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
)

var _ = register(&command{
	name:    "report",
	summary: "write a page about corpora, to read in a browser",
	usage:   usage("report"),
	run:     runReport,
})

func runReport(ctx context.Context, args []string) error {
	r := &stats.Surveyor{}
	page := &report.Page{Command: "corpusgen report " + strings.Join(args, " ")}
	path := ""
	s, err := session.New(ctx, "report", args, func(s *session.Session) {
		s.Own.StringVar(&path, "o", "report.html", "")
		defineMeasure(r, s)
	}, func(*session.Session) (err error) {
		if err := checkMeasure(r); err != nil {
			return err
		}
		if err := report.Replaceable(path); err != nil {
			return session.UsageError{Msg: fmt.Sprintf("-o: %v", err)}
		}
		path, err = filepath.Abs(path)
		return err
	})
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return r.Report(ctx, page, path)
}
