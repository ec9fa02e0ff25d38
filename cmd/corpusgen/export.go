package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/exchange"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

func runExport(ctx context.Context, args []string) error {
	r := &exchange.Exporter{}
	var to string
	return session.Run(ctx, "export", args, func(s *session.Session) {
		s.Own.StringVar(&r.Format, "to", "", "")
		session.DefineForce(s.Own)
		s.DefineCache()
		s.DefineVerbose()
	}, func(s *session.Session) (err error) {
		if formats := []string{"libfuzzer", "raw", "json"}; !slices.Contains(formats, r.Format) {
			return session.UsageError{Msg: fmt.Sprintf("-to %q: want one of %s", r.Format, strings.Join(formats, ", "))}
		}
		if len(s.Packages) == 0 {
			return session.UsageError{Msg: "name the directory, or the ZIP file, to write"}
		}
		to, s.Packages = s.Packages[0], s.Packages[1:]
		if strings.Contains(to, "...") || gotest.HoldsPackage(to) {
			return session.UsageError{Msg: to + " names packages: first name the directory, or the ZIP file, to write"}
		}
		if !exchange.IsZip(to) {
			s.Dir = to
		} else if _, err := os.Lstat(to); err == nil && !atomicfile.Forced() {
			return session.UsageError{Msg: to + " exists already: name a new file, or replace it by -f"}
		}
		return nil
	}, func(s *session.Session) error {
		r.Session = s
		return r.Run(ctx, to)
	})
}
