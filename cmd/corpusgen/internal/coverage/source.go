package coverage

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A Source is a source file with what a corpus reaches of it.
type Source struct {
	Name                string // import path of the package, a slash, and the name
	Path                string // for people
	Reached, Statements int
	Functions           []*Function // in the order of their lines
	Lines               [][]Span    // nil if the file cannot be read
}

// A Span is a part of a line that is reached as a whole, or not at all.
type Span struct {
	Text  string
	Reach Reachability
}

// Reachability says what runs a part of the source.
type Reachability byte

// No statement begins or ends in a part that is NoStatement.
const (
	NoStatement Reachability = iota
	IsReached
	NotReached
)

// Sources returns the files of a profile, and its gaps: what is not reached of functions that are.
// Gaps of most statements come first, and of these, gaps of functions that are reached more: a
// target may have little to do with the others.
func Sources(
	ctx context.Context, s *session.Session, p Profile,
) (files []*Source, gaps []Part, err error) {
	code, err := (&coverer{Session: s}).readCode(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	byName := map[string][]Block{}
	for _, b := range p.Sorted() {
		byName[b.File] = append(byName[b.File], b)
	}
	for name, blocks := range byName {
		file := &Source{Name: name, Path: code.path(name), Functions: code.inFile[name]}
		text, _ := os.ReadFile(filepath.Join(code.dirs[path.Dir(name)], path.Base(name)))
		if text != nil {
			file.Lines = paint(string(text), blocks, p)
		}
		for _, b := range blocks {
			file.Statements += b.Statements
			if p[b] > 0 {
				file.Reached += b.Statements
			}
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b *Source) int { return cmp.Compare(a.Name, b.Name) })
	gaps = code.unreached(p)
	slices.SortStableFunc(gaps, func(a, b Part) int {
		return cmp.Compare(float64(b.Statements)*b.percent, float64(a.Statements)*a.percent)
	})
	return files, gaps, nil
}

// paint cuts the lines of a file where what is reached ends. Blocks are in the order of their
// starts. A function literal is a block of its own, inside another.
func paint(text string, blocks []Block, p Profile) (lines [][]Span) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		colors := make([]Reachability, len(line))
		for _, b := range blocks {
			color := IsReached
			if p[b] == 0 {
				color = NotReached
			}
			from, to := b.within(line, len(lines)+1)
			for i := from; i < to; i++ {
				colors[i] = color
			}
		}
		lines = append(lines, spans(line, colors))
	}
	return lines
}

// within returns which bytes of line n belong to the block, without braces and space at both ends,
// which say nothing.
func (b Block) within(line string, n int) (from, to int) {
	if b.Statements == 0 || n < b.Start.Line || n > b.End.Line {
		return 0, 0
	}
	from, to = 0, len(line)
	if n == b.Start.Line {
		from = min(max(0, b.Start.Column-1), to)
	}
	if n == b.End.Line {
		to = min(max(from, b.End.Column-1), to)
	}
	inner := strings.TrimLeft(line[from:to], "{} \t")
	from = to - len(inner)
	return from, from + len(strings.TrimRight(inner, "{} \t"))
}

// spans cuts a line where its colors change.
func spans(line string, colors []Reachability) (list []Span) {
	for i := 0; i < len(line); {
		end := i + 1
		for end < len(line) && colors[end] == colors[i] {
			end++
		}
		list = append(list, Span{line[i:end], colors[i]})
		i = end
	}
	return list
}
