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
	usage: `usage: corpusgen report -o report.html [flags] [packages]

Report writes what corpusgen stats measures to one HTML page, with charts,
examples as Go code, and how far the corpus covers the files of the module that
the tests import. The page needs no other file and no network.

For example:

	corpusgen report -o report.html ./...

The flags are:

	-o FILE
		write the page to FILE (default report.html). A file that is
		such a page is replaced, any other is an error
` + measureUsage + sessionUsage + `
The exit status is 1 if something went wrong with a target. The page has what
could be measured.
`,
	run: runReport,
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
