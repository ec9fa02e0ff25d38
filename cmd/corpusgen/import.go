package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/exchange"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runImport(ctx context.Context, args []string) error {
	r := &exchange.Importer{}
	var pattern string
	var paths []string
	return session.Run(ctx, "import", args, func(s *session.Session) {
		s.Own.StringVar(&r.From, "from", "", "")
		s.Own.StringVar(&pattern, "package", ".", "")
		s.Own.StringVar(&r.Rejects, "rejects", "", "")
		s.Own.StringVar(&s.Dir, "o", "", "")
		s.DefineVerbose()
	}, func(s *session.Session) (err error) {
		paths, s.Packages = s.Packages, []string{pattern}
		switch formats := []string{"raw", "libfuzzer", "gofuzz", "headers", "json"}; {
		case !slices.Contains(formats, r.From):
			return session.UsageError{Msg: fmt.Sprintf("-from %q: want one of %s", r.From, strings.Join(formats, ", "))}
		case len(paths) == 0:
			return session.UsageError{Msg: "name at least one file, or a directory of files"}
		case r.Rejects != "":
			if info, err := os.Stat(r.Rejects); err == nil && !info.IsDir() {
				return session.UsageError{Msg: fmt.Sprintf("-rejects: %s is not a directory", r.Rejects)}
			}
			r.Rejects, err = filepath.Abs(r.Rejects)
		}
		return err
	}, func(s *session.Session) error {
		r.Session = s
		return r.Run(ctx, paths)
	})
}
