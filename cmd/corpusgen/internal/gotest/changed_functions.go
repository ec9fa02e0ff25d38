package gotest

import (
	"bytes"
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
	Bodies    []int // the offsets of their opening braces
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
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
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
		f.Bodies = append(f.Bodies, at(fn.Body.Lbrace).Offset)
	}
}

// Mark returns the source with code after each of the opening braces. No line moves.
func (f *ChangedFile) Mark(code string) []byte {
	var b bytes.Buffer
	last := 0
	for _, at := range f.Bodies {
		b.Write(f.Source[last : at+1])
		b.WriteString(code)
		last = at + 1
	}
	b.Write(f.Source[last:])
	return b.Bytes()
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// readHunks reads the output of git diff -U0: which lines of which files below root have
// changed. A line that is only gone counts as a change of those around it.
func readHunks(root, diff string) map[string][]lines {
	files := map[string][]lines{}
	path := ""
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
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
