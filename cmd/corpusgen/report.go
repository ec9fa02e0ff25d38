package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
)

func runReport(ctx context.Context, args []string) error {
	r := &stats.Surveyor{}
	page := &stats.Page{Command: "corpusgen report " + strings.Join(args, " ")}
	path := ""
	return session.Run(ctx, "report", args, func(s *session.Session) {
		s.Own.StringVar(&path, "o", "report.html", "")
		defineMeasure(r, s)
		session.DefineForce(s.Own)
	}, func(*session.Session) (err error) {
		if err := checkMeasure(r); err != nil {
			return err
		}
		if err := stats.Replaceable(path); err != nil {
			return session.UsageError{Msg: fmt.Sprintf("-o: %v", err)}
		}
		path, err = filepath.Abs(path)
		return err
	}, func(s *session.Session) error {
		r.Session = s
		return r.Report(ctx, page, path)
	})
}
