package coverage

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A coveredCode is the code that a profile is about.
type coveredCode struct {
	functions []*Function
	inFile    map[string][]*Function
	dirs      map[string]string   // of packages, by import path
	lines     map[string][]string // of files
}

// A Function is a function with what is reached of its statements.
type Function struct {
	File                string // as in a profile
	Path                string // for people
	Line                int
	Name                string
	Percent             float64
	Reached, Statements int
}

// A Part is blocks of a function, one after the other, that have something in common.
type Part struct {
	Path       string
	Start, End Position
	Function   string
	Statements int
	Text       string  // of the first line
	percent    float64 // of the function that is reached
}

// readCode reads the source of the code of a profile. It has go tool cover find the
// functions.
func (c *coverer) readCode(ctx context.Context, p Profile) (*coveredCode, error) {
	profile := filepath.Join(c.Tmp.Path, "profile")
	code := &coveredCode{
		inFile: map[string][]*Function{},
		dirs:   map[string]string{},
		lines:  map[string][]string{},
	}
	if err := os.WriteFile(profile, p.Text(), 0o666); err != nil {
		return nil, err
	}
	var packages []string
	for b := range p {
		if dir := path.Dir(b.File); !slices.Contains(packages, dir) {
			packages = append(packages, dir)
		}
	}
	if len(packages) == 0 {
		return code, nil
	}
	out, err := gotest.Output(ctx,
		slices.Concat([]string{"list"}, c.BuildFlags(),
			[]string{"-e", "-find", "-f={{.ImportPath}}\t{{.Dir}}", "--"}, packages)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		pkg, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		code.dirs[pkg] = dir
	}
	if out, err = gotest.Output(ctx, "tool", "cover", "-func="+profile); err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) { // example.com/p/p.go:7:	F	50.0%
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		place := strings.Split(strings.TrimSuffix(fields[0], ":"), ":")
		if len(place) < 2 {
			continue // the total
		}
		f := &Function{File: place[0], Path: code.path(place[0]), Name: fields[1]}
		f.Line, _ = strconv.Atoi(place[1])
		f.Percent, _ = strconv.ParseFloat(strings.TrimSuffix(fields[2], "%"), 64)
		code.functions = append(code.functions, f)
		code.inFile[f.File] = append(code.inFile[f.File], f)
	}
	for _, in := range code.inFile {
		slices.SortFunc(in, func(a, b *Function) int { return cmp.Compare(a.Line, b.Line) })
	}
	for b, n := range p {
		if f := code.function(b); f != nil {
			f.Statements += b.Statements
			if n > 0 {
				f.Reached += b.Statements
			}
		}
	}
	return code, nil
}

// path returns the path of a file, for people.
func (code *coveredCode) path(file string) string {
	dir, ok := code.dirs[path.Dir(file)]
	if !ok {
		return file
	}
	return gotest.Short(filepath.Join(dir, path.Base(file)))
}

// function returns the function that a block is in, or nil. Those of a file are in the order
// of their lines.
func (code *coveredCode) function(b Block) *Function {
	in := code.inFile[b.File]
	n, _ := slices.BinarySearchFunc(in, b.Start.Line+1, func(f *Function, line int) int {
		return cmp.Compare(f.Line, line)
	})
	if n == 0 {
		return nil
	}
	return in[n-1]
}

// unreached returns the parts that are not reached of functions that are.
func (code *coveredCode) unreached(p Profile) []Part {
	reached := map[*Function]bool{}
	for b, n := range p {
		if f := code.function(b); n > 0 && f != nil {
			reached[f] = true
		}
	}
	return code.parts(p, func(b Block) bool { return p[b] == 0 && reached[code.function(b)] })
}

// parts returns the parts made of the blocks that are wanted, the ones with most statements first.
func (code *coveredCode) parts(p Profile, want func(Block) bool) (parts []Part) {
	var last *Function // of the part that may continue
	for _, b := range p.Sorted() {
		f := code.function(b)
		if !want(b) {
			if b.Statements > 0 || f != last {
				last = nil
			}
			continue
		}
		if b.Statements == 0 {
			continue
		}
		if f == nil || f != last {
			parts = append(parts, Part{
				Path:  code.path(b.File),
				Start: b.Start,
				Text:  code.line(b.File, b.Start.Line),
			})
			if f != nil {
				parts[len(parts)-1].Function, parts[len(parts)-1].percent = f.Name, f.Percent
			}
		}
		last = f
		now := &parts[len(parts)-1]
		now.End = b.End
		now.Statements += b.Statements
	}
	slices.SortStableFunc(parts, func(a, b Part) int {
		return cmp.Compare(b.Statements, a.Statements)
	})
	return parts
}

// line returns a line of a file.
func (code *coveredCode) line(file string, n int) string {
	lines, ok := code.lines[file]
	if !ok {
		b, _ := os.ReadFile(filepath.Join(code.dirs[path.Dir(file)], path.Base(file)))
		lines = strings.Split(string(b), "\n")
		code.lines[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// functionsText prints functions. If there are more than most that nothing reaches, it counts
// these only.
func functionsText(functions []*Function, most int) string {
	unreached := 0
	for _, f := range functions {
		if f.Percent == 0 {
			unreached++
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, f := range functions {
		if f.Percent > 0 || unreached <= most {
			fmt.Fprintf(w, "    %s:%d:\t%s\t%.1f%%\n", f.Path, f.Line, f.Name, f.Percent)
		}
	}
	w.Flush()
	if unreached > most {
		fmt.Fprintf(&b, "    and %d functions that nothing reaches: -v\n", unreached)
	}
	return b.String()
}

func statementsOf(parts []Part) (n int) {
	for _, p := range parts {
		n += p.Statements
	}
	return n
}

// partsText prints up to most parts, indented, after a title.
func partsText(parts []Part, indent string, most int) string {
	if len(parts) == 0 {
		return "\n"
	}
	var b strings.Builder
	b.WriteString(":\n")
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	shown := session.Shown(len(parts), most)
	for _, p := range parts[:shown] {
		fmt.Fprintf(w, "%s%s:%d:\t%s\t%s\t%s\n", indent, p.Path, p.Start.Line, p.Function,
			session.Count(p.Statements, "statement", "statements"), p.Text)
	}
	w.Flush()
	if more := len(parts) - shown; more > 0 {
		fmt.Fprintf(&b, "%sand %d more: -v prints them\n", indent, more)
	}
	return b.String()
}
