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

var _ = register(&command{
	name:    "import",
	summary: "turn inputs of other fuzzers, or JSON values, into corpus entries",
	usage: `usage: corpusgen import -from FORMAT [flags] FILE|DIR|ZIP...

Import reads values from files, runs the target's generator backward on them,
and adds them to the target's corpus, as files in testdata/fuzz/FuzzXxx. It
writes only values that the corpus does not have. An argument that is a
directory, or a ZIP file, stands for the files in it.

The formats are:

	raw
		each file is a value: a text, or bytes
	libfuzzer
		inputs of a binary of corpusgen libfuzzer, also the files
		crash-*, leak-*, timeout-* and oom-*: the arguments of the fuzz
		function as bytes. Targets that do not use fuzzext take them, too
	gofuzz
		inputs of go-fuzz for this target. If the target takes a text,
		or bytes, the file is the value. Otherwise its bytes stand for
		a value, as they do for go test -fuzz
	headers
		inputs of github.com/AdaLogics/go-fuzz-headers, decoded by that
		library, also in corpus files of go test -fuzz. A test file of
		the package must import
		github.com/espalier-go/espalier/fuzzext/headers
	json
		JSON values, as encoding/json reads them into the type of the
		target's values. A file may hold several, one after the other.
		A field that the type lacks is an error

A file that gives no value, or one that the generator does not make, is listed
with the reason, and a copy is kept in testdata/rejected/FuzzXxx. For JSON, the
number behind the name of the file is the line. Values that the property does
not assume, or for which it fails, are imported and counted.

For example:

	corpusgen import -from json -fuzz FuzzInsert cases.json

The flags are:

	-from FORMAT
		the format of the files
	-package pattern
		the package of the target (default .)
	-rejects dir
		keep copies of files that are not imported in dir instead of
		testdata/rejected/FuzzXxx
	-o dir
		write to dir/FuzzXxx instead of testdata/fuzz/FuzzXxx
	-v
		print the name of each new file, and all values that share a
		reason why they are not imported
` + sessionUsage + `
There must be one target: use -fuzz to select it. The exit status is 1 if a file
gives no value, or something else went wrong.
`,
	run: runImport,
})

func runImport(ctx context.Context, args []string) error {
	r := &exchange.Importer{}
	var pattern string
	var paths []string
	s, err := session.New(ctx, "import", args, func(s *session.Session) {
		s.Own.StringVar(&r.From, "from", "", "")
		s.Own.StringVar(&pattern, "package", ".", "")
		s.Own.StringVar(&r.Rejects, "rejects", "", "")
		s.Own.StringVar(&s.Dir, "o", "", "")
		s.Own.BoolVar(&s.Verbose, "v", false, "")
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
	})
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return r.Run(ctx, paths)
}
