package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/job"
)

var _ = register(&command{
	name:    "promote",
	summary: "turn corpus entries into code of the target",
	usage: `usage: corpusgen promote [flags] FILE|DIR...

Promote prints code that keeps the values of corpus entries, so that they follow
the types and the generator when these change: a line for the fuzz target,
fuzzext.Add(f, gen, value). A value that cannot be written as Go code becomes a
line f.Add with its bytes.

For example:

	corpusgen promote -w testdata/fuzz/FuzzInsert/0a1b2c3d4e5f6071

The flags are:

	-test
		print a test instead, which runs fuzzext.Check with the value as
		its first example
	-w
		write the lines into the source, before the call of f.Fuzz. The
		entries stay
` + sessionUsage,
	run: runPromote,
})

func runPromote(ctx context.Context, args []string) error {
	var files []entryFile
	var write, asTest bool
	s, err := newSession(ctx, "promote", args, func(s *session) {
		s.Own.BoolVar(&write, "w", false, "")
		s.Own.BoolVar(&asTest, "test", false, "")
	}, func(s *session) (err error) {
		if write && asTest {
			return usageError{"-w writes lines for the fuzz target: use it without -test"}
		}
		files, err = entryFiles(ctx, s.Packages)
		s.Packages = packagesOf(files)
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()
	entries, err := s.readFiles(ctx, files, job.Read{Code: true})
	var written []fileEntry
	for _, e := range entries {
		if broken := e.broken(); broken != nil {
			s.complain(broken)
			err = errReported
			continue
		}
		s.emit(entryEvent{e.target.event("promote"), e.Entry})
		text := e.Code.Seed
		if asTest {
			text = e.Code.Test
		}
		switch {
		case text == "":
			s.complain(fmt.Errorf("%s: its value cannot be written as such code", e.file.name))
			err = errReported
		case write:
			written = append(written, e)
		default:
			s.printf("%s\n", text)
		}
	}
	// The lines of a file move when others are inserted above: from the last to the first.
	for i := len(written) - 1; i >= 0; i-- {
		e := written[i]
		file, added, failed := insertSeed(e.Code)
		switch {
		case failed != nil:
			s.complain(fmt.Errorf("%s: %w", e.file.name, failed))
			err = errReported
		case added:
			s.printf("%s: %s\n", gotest.Short(file), e.Code.Seed)
		default:
			s.printf("%s: there already: %s\n", gotest.Short(file), e.Code.Seed)
		}
	}
	return err
}

// insertSeed inserts the line of a seed before the statement that has the call of fuzzext.
// It reports false if the line is there already.
func insertSeed(c *job.Code) (file string, added bool, err error) {
	file = filepath.FromSlash(c.File)
	src, err := os.ReadFile(file)
	if err != nil {
		return file, false, err
	}
	if bytes.Contains(unspaced(src), unspaced([]byte(c.Seed))) {
		return file, false, nil
	}
	at, err := statementAt(src, c.Line)
	if err != nil {
		return file, false, fmt.Errorf("%s: %w", gotest.Short(file), err)
	}
	changed := append([]byte{}, src[:at]...)
	changed = append(append(changed, c.Seed...), '\n')
	changed, err = format.Source(append(changed, src[at:]...))
	if err != nil {
		return file, false, fmt.Errorf("%s: the line does not fit: %w", gotest.Short(file), err)
	}
	return file, true, atomicfile.Write(file, changed)
}

// statementAt returns the offset of the statement in the body of a function that has the
// given line.
func statementAt(src []byte, line int) (offset int, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		for _, s := range fn.Body.List {
			if files.Position(s.Pos()).Line <= line && line <= files.Position(s.End()).Line {
				return files.Position(s.Pos()).Offset, nil
			}
		}
	}
	return 0, errors.New("there is no call of fuzzext in the body of a function at the line where it was compiled: has the file changed?")
}

// unspaced returns source without white space, which gofmt changes.
func unspaced(src []byte) []byte { return bytes.Join(bytes.Fields(src), nil) }
