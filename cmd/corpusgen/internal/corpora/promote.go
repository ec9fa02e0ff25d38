package corpora

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
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/callee"
	"github.com/espalier-go/espalier/internal/job"
)

// Promote prints code that keeps the entries in the files of a session, as a test if that is set,
// or writes it into the source.
func Promote(ctx context.Context, s *session.Session, write, asTest bool) error {
	entries, err := s.ReadFiles(ctx, job.Read{Code: true})
	var written []session.FileEntry
	for _, e := range entries {
		if broken := e.Broken(); broken != nil {
			s.Complain(broken)
			err = session.ErrReported
			continue
		}
		s.Emit(e.Target.EntryEvent("promote", e.Entry))
		text := e.Code.Seed
		if asTest {
			text = e.Code.Test
		}
		switch {
		case text == "":
			s.Complain(fmt.Errorf("%s: its value cannot be written as such code", e.File.Name))
			err = session.ErrReported
		case write:
			written = append(written, e)
		default:
			s.Printf("%s\n", text)
		}
	}
	// The lines of a file move when others are inserted above: from the last to the first.
	for i := len(written) - 1; i >= 0; i-- {
		e := written[i]
		file, added, failed := insertSeed(e.Target, e.Code)
		switch {
		case failed != nil:
			s.Complain(fmt.Errorf("%s: %w", e.File.Name, failed))
			err = session.ErrReported
		case added:
			s.Printf("%s: %s\n", gotest.Short(file), e.Code.Seed)
		default:
			s.Printf("%s: there already: %s\n", gotest.Short(file), e.Code.Seed)
		}
	}
	return err
}

// insertSeed inserts the line of a seed before the statement that has the call of fuzzext, or
// the option of a test into its call. It reports false if the code is there already.
func insertSeed(t *session.Target, c *job.Code) (file string, added bool, err error) {
	file = filepath.FromSlash(c.File)
	src, err := os.ReadFile(file)
	if err != nil {
		return file, false, err
	}
	files, fn, err := functionAt(src, c.Line)
	if err != nil {
		return file, false, fmt.Errorf("%s: %w", gotest.Short(file), err)
	}
	within := src[files.Position(fn.Pos()).Offset:files.Position(fn.End()).Offset]
	if bytes.Contains(unspaced(within), unspaced([]byte(c.Seed))) {
		return file, false, nil
	}
	code := c.Seed + "\n"
	find := statementAt
	if t.IsTest() {
		code, find = ", "+c.Seed, endOfCheckAt
	}
	at, err := find(files, fn, c.Line)
	if err != nil {
		return file, false, fmt.Errorf("%s: %w", gotest.Short(file), err)
	}
	changed := append([]byte{}, src[:at]...)
	changed, err = format.Source(append(append(changed, code...), src[at:]...))
	if err != nil {
		return file, false, fmt.Errorf("%s: the line does not fit: %w", gotest.Short(file), err)
	}
	return file, true, atomicfile.Write(file, changed)
}

// functionAt returns the function at the given line, and the positions in its file.
func functionAt(src []byte, line int) (*token.FileSet, *ast.FuncDecl, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && files.Position(d.Pos()).Line <= line && line <= files.Position(d.End()).Line {
			return files, fn, nil
		}
	}
	return nil, nil, errMoved
}

// statementAt returns the offset of the statement in the body of a function that has the
// given line.
func statementAt(files *token.FileSet, fn *ast.FuncDecl, line int) (offset int, err error) {
	if fn.Body == nil {
		return 0, errMoved
	}
	for _, s := range fn.Body.List {
		if files.Position(s.Pos()).Line <= line && line <= files.Position(s.End()).Line {
			return files.Position(s.Pos()).Offset, nil
		}
	}
	return 0, errMoved
}

// endOfCheckAt returns the offset behind the last argument of the call of Check, or of Sequence,
// that is at the given line.
func endOfCheckAt(files *token.FileSet, fn *ast.FuncDecl, line int) (offset int, err error) {
	err = errMoved
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil || files.Position(n.Pos()).Line > line || files.Position(n.End()).Line < line {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && err == errMoved && (calls(call, "Check") && len(call.Args) >= 3 || calls(call, "Sequence") && len(call.Args) >= 2) {
			offset, err = files.Position(call.Args[len(call.Args)-1].End()).Offset, nil
			if call.Ellipsis.IsValid() {
				err = errors.New("the call of fuzzext takes its options from a slice: add the option there")
				return false
			}
		}
		return true
	})
	return offset, err
}

// calls reports whether a call is one of a function of a name, of any package.
func calls(call *ast.CallExpr, name string) bool {
	_, called := callee.Of(call)
	return called == name
}

var errMoved = errors.New("there is no call of fuzzext in the body of a function at the line where it was compiled: has the file changed?")

// unspaced returns source without white space, which gofmt changes.
func unspaced(src []byte) []byte { return bytes.Join(bytes.Fields(src), nil) }
