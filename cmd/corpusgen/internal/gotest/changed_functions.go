package gotest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A ChangedFile is a file with functions that a change touches.
type ChangedFile struct {
	Path      string // as the go command knows it
	Package   string // the name of its package
	Functions []string
	Numbers   []int // of them among the functions of the file
	Source    []byte
}

// lines are lines of a file, from 1.
type lines struct{ from, to int }

// find finds the functions that have one of the lines. Of a file with errors of syntax, the
// compiler tells.
func (f *ChangedFile) find(changed []lines) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, f.Path, f.Source, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	for i, fn := range functions(file) {
		if fn.Body == nil {
			continue
		}
		at := func(p token.Pos) token.Position { return set.PositionFor(p, false) }
		from, to := at(fn.Pos()).Line, at(fn.End()).Line
		if !slices.ContainsFunc(changed, func(l lines) bool { return l.from <= to && from <= l.to }) {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil && len(fn.Recv.List) == 1 {
			typ := fn.Recv.List[0].Type
			name = "(" + string(f.Source[at(typ.Pos()).Offset:at(typ.End()).Offset]) + ")." + name
		}
		f.Functions = append(f.Functions, f.Package+"."+name)
		f.Numbers = append(f.Numbers, i)
	}
}

// functions returns the functions of a file.
func functions(file *ast.File) (list []*ast.FuncDecl) {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			list = append(list, fn)
		}
	}
	return list
}

// Mark returns a source of the file, which may have been edited within its functions, with code
// after the opening brace of each function that the change touches. No line moves.
func (f *ChangedFile) Mark(source []byte, code string) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, f.Path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	last := 0
	all := functions(file)
	for _, i := range f.Numbers {
		if i >= len(all) || all[i].Body == nil {
			return nil, fmt.Errorf("%s: its functions are not those of its source", f.Path)
		}
		at := set.PositionFor(all[i].Body.Lbrace, false).Offset
		b.Write(source[last : at+1])
		b.WriteString(code)
		last = at + 1
	}
	b.Write(source[last:])
	return b.Bytes(), nil
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// readHunks reads the output of git diff -U0: which lines of which files below root have
// changed. A line that is only gone counts as a change of those around it.
func readHunks(root, diff string) map[string][]lines {
	files := map[string][]lines{}
	path, isHead := "", false
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "diff ") { // no line of a hunk begins so
			isHead = true
		}
		if name, ok := strings.CutPrefix(line, "+++ "); ok && isHead {
			path = "" // of a file that is gone
			if name, ok := strings.CutPrefix(name, "b/"); ok {
				path = filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(name, "\t")))
			}
			continue
		}
		m := hunk.FindStringSubmatch(line)
		if m == nil || path == "" {
			continue
		}
		isHead = false
		from, _ := strconv.Atoi(m[1])
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		to := from + n - 1
		if n == 0 {
			to = from + 1
		}
		files[path] = append(files[path], lines{from, to})
	}
	return files
}
