package coverage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Position is a place in a file. Lines and columns, in bytes, begin at 1.
type Position struct{ Line, Column int }

// A Block is a part of a function that runs as a whole.
type Block struct {
	File       string // import path of the package, a slash, and the name
	Start, End Position
	Statements int
}

// A Profile says of the blocks of test binaries how often they have run.
type Profile map[Block]uint32

// ErrNone says that no process has written a profile, or that nothing was to be covered. If the
// packages to be covered have no statements, there is an empty profile instead.
var ErrNone = errors.New("there are no coverage data")

// profileFlags returns the flags with which a test binary writes a profile to dir, of what all
// processes have run that have been given dir.
func profileFlags(dir string) []string {
	return []string{"-test.gocoverdir=" + dir, "-test.coverprofile=" + profileIn(dir)}
}

func profileIn(dir string) string { return filepath.Join(dir, "profile") }

// readProfile reads the profile that processes have written to dir.
func readProfile(dir string) (Profile, error) {
	text, err := os.ReadFile(profileIn(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	} else if err != nil {
		return nil, err
	}
	p := Profile{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		b, n, ok := readBlock(line)
		if !ok {
			if strings.HasPrefix(line, "mode: ") {
				continue
			}
			return nil, fmt.Errorf("%s: %q is not a line of a profile", profileIn(dir), line)
		}
		p[b] = max(p[b], n)
	}
	if metadata, err := filepath.Glob(filepath.Join(dir, "covmeta.*")); len(p) == 0 &&
		len(metadata) == 0 {
		return nil, cmp.Or(err, ErrNone)
	}
	return p, nil
}

// readBlock reads a line of a profile, example.com/p/p.go:7.20,9.3 1 0: a block, and how often it has
// run. Profiles have many lines, and min reads one for each entry.
func readBlock(line string) (b Block, n uint32, ok bool) {
	ok = true
	number := func(digits string) int {
		v, err := strconv.ParseUint(digits, 10, 32) // one that is too large is the largest
		ok = ok && (err == nil || errors.Is(err, strconv.ErrRange))
		return int(v)
	}
	position := func(s string) Position {
		line, column, _ := strings.Cut(s, ".")
		return Position{number(line), number(column)}
	}
	rest, times, _ := cutLast(line, " ")
	rest, statements, _ := cutLast(rest, " ")
	file, span, _ := cutLast(rest, ":")
	start, end, _ := strings.Cut(span, ",")
	b = Block{file, position(start), position(end), number(statements)}
	return b, uint32(number(times)), ok && file != ""
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}

// Sorted returns the blocks of p by file and position.
func (p Profile) Sorted() []Block {
	return slices.SortedFunc(maps.Keys(p), func(a, b Block) int {
		return cmp.Or(strings.Compare(a.File, b.File),
			cmp.Compare(a.Start.Line, b.Start.Line), cmp.Compare(a.Start.Column, b.Start.Column),
			cmp.Compare(a.End.Line, b.End.Line), cmp.Compare(a.End.Column, b.End.Column),
			cmp.Compare(a.Statements, b.Statements))
	})
}

// Statements returns how many statements p has, and how many of them have run.
func (p Profile) Statements() (reached, all int) {
	for b, n := range p {
		all += b.Statements
		if n > 0 {
			reached += b.Statements
		}
	}
	return reached, all
}

// Text returns p in the format of `go test -coverprofile`, with counters of mode set.
func (p Profile) Text() []byte {
	var text strings.Builder
	text.WriteString("mode: set\n")
	for _, b := range p.Sorted() {
		fmt.Fprintf(&text, "%s:%d.%d,%d.%d %d %d\n", b.File, b.Start.Line, b.Start.Column,
			b.End.Line, b.End.Column, b.Statements, min(p[b], 1))
	}
	return []byte(text.String())
}
