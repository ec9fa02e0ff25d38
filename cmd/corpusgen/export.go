package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/exchange"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runExport(ctx context.Context, args []string) error {
	r := &exchange.Exporter{}
	return session.Run(ctx, "export", args, func(s *session.Session) {
		s.Own.StringVar(&r.Format, "to", "", "")
		s.DefineCache()
		s.DefineVerbose()
	}, func(s *session.Session) (err error) {
		if formats := []string{"libfuzzer", "raw", "json"}; !slices.Contains(formats, r.Format) {
			return session.UsageError{Msg: fmt.Sprintf("-to %q: want one of %s", r.Format, strings.Join(formats, ", "))}
		}
		if len(s.Packages) == 0 {
			return session.UsageError{Msg: "name the directory to write"}
		}
		s.Dir, s.Packages = s.Packages[0], s.Packages[1:]
		switch {
		case strings.Contains(s.Dir, "...") || gotest.HoldsPackage(s.Dir):
			return session.UsageError{Msg: s.Dir + " names packages: first name the directory to write"}
		case exchange.IsZip(s.Dir):
			return session.UsageError{Msg: s.Dir + " would be a directory: name it without .zip, and pack it by another tool"}
		}
		return nil
	}, func(s *session.Session) error {
		r.Session = s
		return r.Run(ctx)
	})
}
