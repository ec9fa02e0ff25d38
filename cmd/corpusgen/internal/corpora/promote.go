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
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// Promote is `corpusgen promote`.
func Promote(ctx context.Context, args []string) error {
	s := session.New("promote")
	write, asTest := s.Own.Bool("w", false, ""), s.Own.Bool("test", false, "")
	return s.Run(ctx, args, func() error {
		if *write && *asTest {
			return session.Usagef("-w writes lines for the fuzz target: use it without -test")
		}
		return s.NameFiles()
	}, func(ctx context.Context) error { return promote(ctx, s, *write, *asTest) })
}

// promote prints code that keeps the entries in the files of a session, as a test if that is set,
// or writes it into the source.
func promote(ctx context.Context, s *session.Session, write, asTest bool) error {
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
		case text == "" && e.Status == job.Plain:
			s.Complain(fmt.Errorf("%s: -test makes a call of fuzzext.Check, which needs a generator, "+
				"but %s does not use fuzzext: without -test, the entry becomes a line f.Add",
				e.File.Name, e.Target.Name))
			err = session.ErrReported
		case text == "":
			s.Complain(fmt.Errorf("%s: its value cannot be written as such code", e.File.Name))
			err = session.ErrReported
		case write && e.Code.File == "":
			s.Complain(fmt.Errorf("%s: no call of %s.Fuzz is in the function %s itself: add the line "+
				"yourself: %s", e.File.Name, strings.TrimSuffix(text[:strings.IndexByte(text, '(')], ".Add"),
				e.Target.Name, text))
			err = session.ErrReported
		case write:
			written = append(written, e)
		default:
			s.Printf("%s\n", text)
		}
	}
	for _, edit := range editsOf(written) {
		if failed := edit.run(ctx, s); failed != nil {
			s.Complain(failed)
			err = session.ErrReported
		}
	}
	return err
}

// An edit inserts the code of entries into a file of the package of a target.
type edit struct {
	target  *session.Target
	file    string // absolute, no link
	entries []session.FileEntry
}

// editsOf returns the edits for entries, one for each file.
func editsOf(entries []session.FileEntry) (edits []*edit) {
	for _, e := range entries {
		file := filepath.FromSlash(e.Code.File)
		i := slices.IndexFunc(edits, func(x *edit) bool {
			return x.file == file && x.target.Package.Path == e.Target.Package.Path
		})
		if i < 0 {
			i = len(edits)
			edits = append(edits, &edit{e.Target, file, nil})
		}
		edits[i].entries = append(edits[i].entries, e)
	}
	return edits
}

// run edits the file, if it then compiles. The file keeps its mode, its line ends, and the links
// that lead to it.
func (x *edit) run(ctx context.Context, s *session.Session) error {
	name := gotest.Short(x.file)
	file, err := filepath.EvalSymlinks(x.file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Mode()&0o222 == 0 {
		return fmt.Errorf("%s is read-only: make it writable, or add the code yourself", name)
	}
	src, err := safefile.Read(file, maxSource)
	if err != nil {
		return err
	}
	lines := bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	changed, added, err := x.insert(lines)
	if err != nil {
		return err
	}
	if len(added) > 0 {
		if err := x.compile(ctx, s, changed); err != nil {
			return fmt.Errorf("%s stays: with the code of %s it would not compile:\n%w", name,
				session.Count(len(added), "entry", "entries"), err)
		}
		if len(lines) < len(src) {
			changed = bytes.ReplaceAll(changed, []byte("\n"), []byte("\r\n"))
		}
		if err := replace(file, name, src, changed); err != nil {
			return err
		}
	}
	for _, e := range x.entries {
		there := "there already: "
		if added[place(e)] {
			there = ""
		}
		s.Printf("%s: %s%s\n", name, there, e.Code.Seed)
	}
	return nil
}

// replace writes a file, unless another process has changed it.
func replace(file, name string, old, changed []byte) error {
	now, err := safefile.Read(file, maxSource)
	if err != nil || !bytes.Equal(now, old) {
		return errors.Join(err,
			fmt.Errorf("%s stays: another process has changed it: run promote again", name))
	}
	return safefile.Write(file, changed)
}

// maxSource bounds a source file, in bytes.
const maxSource = 64 << 20

// place tells apart what is inserted.
func place(e session.FileEntry) string { return fmt.Sprintf("%d:%s", e.Code.Line, e.Code.Seed) }

// insert returns the source with the code of the entries, and which places that adds: the line of a
// seed before the statement that has the call of fuzzext, or the option of a test in its call.
func (x *edit) insert(src []byte) (changed []byte, added map[string]bool, err error) {
	added = map[string]bool{}
	type insertion struct {
		at   int
		code string
	}
	var list []insertion
	for _, e := range x.entries {
		files, fn, err := functionAt(src, e.Code.Line)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", gotest.Short(x.file), err)
		}
		within := src[files.Position(fn.Pos()).Offset:files.Position(fn.End()).Offset]
		if bytes.Contains(unspaced(within), unspaced([]byte(e.Code.Seed))) || added[place(e)] {
			continue
		}
		find, code := statementAt, before
		if e.Target.IsTest() {
			find, code = endOfCheckAt, func(_ []byte, _ int, seed string) string { return ", " + seed }
		}
		at, err := find(files, fn, e.Code.Line)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", gotest.Short(x.file), err)
		}
		list, added[place(e)] = append(list, insertion{at, code(src, at, e.Code.Seed)}), true
	}
	slices.SortStableFunc(list, func(a, b insertion) int { return a.at - b.at })
	last := 0
	for i, in := range list {
		if i > 0 && in.at == last { // what is before it ends with a line
			in.code = strings.TrimPrefix(in.code, "\n\t")
		}
		changed = append(append(changed, src[last:in.at]...), in.code...)
		last = in.at
	}
	changed = append(changed, src[last:]...)
	if slices.ContainsFunc(list, func(in insertion) bool { return strings.Contains(in.code, "math.") }) {
		changed = withMath(changed)
	}
	formatted, err := format.Source(changed)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: the line does not fit: %w", gotest.Short(x.file), err)
	}
	if was, err := format.Source(src); err == nil && bytes.Equal(was, src) {
		changed = formatted // which is nothing but what has been inserted
	}
	return changed, added, nil
}

// before returns the code of a seed as a line before the statement at an offset of a function's body.
func before(src []byte, at int, seed string) string {
	code := seed
	const head, tail = "package p\n\nfunc f() {\n", "\n}\n"
	if b, err := format.Source([]byte(head + seed + tail)); err == nil {
		code = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(string(b), head), tail))
	}
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	if len(bytes.TrimSpace(line)) > 0 { // the line begins with something else
		return "\n\t" + code + "\n\t"
	}
	return code + "\n" + string(line)
}

// withMath returns a source with an import of package math, which numbers that are infinite, or none,
// need. A source that does not parse stays.
func withMath(src []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.ImportsOnly)
	if err != nil || slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool {
		return s.Path.Value == `"math"` && s.Name == nil
	}) {
		return src
	}
	insert := func(at token.Pos, text string) {
		src = slices.Insert(bytes.Clone(src), files.Position(at).Offset, []byte(text)...)
	}
	if len(file.Imports) == 0 {
		insert(file.Name.End(), "\n\nimport \"math\"")
		return src
	}
	if first := file.Decls[0].(*ast.GenDecl); first.Lparen.IsValid() {
		text := "\n\t\"math\""
		if after := src[files.Position(first.Lparen).Offset+1]; after != '\n' {
			text = "\"math\"; " // all is in one line
		}
		insert(first.Lparen+1, text)
	} else { // one import becomes a block
		insert(first.End(), "\n)")
		insert(first.Specs[0].Pos(), "(\n\t\"math\"\n\t")
	}
	return src
}

// compile compiles the tests of the package with another source of the file. It links nothing.
func (x *edit) compile(ctx context.Context, s *session.Session, src []byte) error {
	dir, err := rundir.Sub(s.Tmp.Path, "promote")
	if err != nil {
		return err
	}
	file, list := filepath.Join(dir, filepath.Base(x.file)), filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(file, src, 0o666),
		gotest.WriteOverlay(list, "", map[string]string{x.file: file})); err != nil {
		return err
	}
	args := slices.Concat([]string{"list", "-test", "-export", "-f", "{{.ImportPath}}"},
		s.BuildFlags(), []string{"-overlay=" + list, x.target.Package.Path})
	_, err = gotest.Output(ctx, args...)
	return err
}

// functionAt returns the function at the given line, and the positions in its file.
func functionAt(src []byte, line int) (*token.FileSet, *ast.FuncDecl, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && files.Position(d.Pos()).Line <= line &&
			line <= files.Position(d.End()).Line {
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

// endOfCheckAt returns the offset after the last argument of the call of Check, or of Sequence,
// that is at the given line.
func endOfCheckAt(files *token.FileSet, fn *ast.FuncDecl, line int) (offset int, err error) {
	err = errMoved
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil || files.Position(n.Pos()).Line > line || files.Position(n.End()).Line < line {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && err == errMoved &&
			(calls(call, "Check") && len(call.Args) >= 3 || calls(call, "Sequence") && len(call.Args) >= 2) {
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
	_, called := gosource.Callee(call)
	return called == name
}

var errMoved = errors.New("there is no call of fuzzext in the body of a function at the line " +
	"where it was compiled: has the file changed?")

// unspaced returns source without white space, which gofmt changes.
func unspaced(src []byte) []byte { return bytes.Join(bytes.Fields(src), nil) }
