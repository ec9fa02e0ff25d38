// Package coverdata reads what a test binary that was built with -cover writes to the
// directory of its flag -test.gocoverdir: a file of meta-data, which lists the basic blocks
// of the covered packages, and a file of counters for each process.
//
//	meta, err := coverdata.ReadMeta(dir)
//	counts, err := meta.Counts(dir)
//	for i, b := range meta.Blocks {
//		fmt.Println(b.File, b.Start.Line, counts[i] > 0)
//	}
//
// The formats are those of version 1, of Go 1.20 and later: see internal/coverage/defs.go in
// the Go installation. A file of another version is an error. `go tool covdata` reads such
// directories, too, but prints no blocks of a single process, and takes longer to start than
// a small test.
package coverdata

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// A Meta is the meta-data of a test binary.
type Meta struct {
	Blocks []Block // may have duplicates
	Mode   string  // of the counters: set, count or atomic
	hash   string
	funcs  map[function]span
}

// A function is known by the indices of its package and of itself.
type function struct{ pkg, index uint32 }

// A span says which blocks are those of a function.
type span struct{ from, n int }

const (
	metaMagic    = "\x00cvm"
	counterMagic = "\x00cwm"
	version      = 1
)

// ErrNone says that no process has written to a directory, or none that covers anything.
var ErrNone = errors.New("there are no coverage data")

// ReadMeta reads the file of meta-data in dir. It is an error if there are several, of
// different binaries.
func ReadMeta(dir string) (*Meta, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "covmeta.*"))
	switch {
	case err != nil:
		return nil, err
	case len(paths) == 0:
		return nil, ErrNone
	case len(paths) > 1:
		return nil, fmt.Errorf("%s has the meta-data of %d test binaries", dir, len(paths))
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		return nil, err
	}
	m, err := parseMeta(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", paths[0], err)
	}
	return m, nil
}

func parseMeta(b []byte) (*Meta, error) {
	r := &reader{b: b}
	if err := r.header(metaMagic, "coverage meta-data"); err != nil {
		return nil, err
	}
	r.uint64() // length of the file
	packages := r.uint64()
	m := &Meta{hash: string(r.bytes(16)), funcs: map[function]span{}}
	r.skip(8) // place of the strings of the file itself
	switch mode := r.byte(); mode {
	case 1, 2, 3:
		m.Mode = []string{"set", "count", "atomic"}[mode-1]
	default:
		return nil, fmt.Errorf("counters of the unknown mode %d", mode)
	}
	if granularity := r.byte(); granularity != 1 {
		return nil, fmt.Errorf("counters of the unknown granularity %d", granularity)
	}
	r.skip(6)
	offsets, lengths := r.uint64s(packages), r.uint64s(packages)
	for i := range lengths {
		part := r.part(offsets[i], lengths[i])
		if part == nil {
			break
		}
		if err := m.readPackage(uint32(i), part); err != nil {
			return nil, err
		}
	}
	return m, r.err
}

// readPackage reads the meta-data of a package.
func (m *Meta) readPackage(pkg uint32, b []byte) error {
	r := &reader{b: b}
	r.skip(4 + 3*4 + 16 + 4 + 4) // length, names, hash, padding, number of files
	offsets := r.uint32s(uint64(r.uint32()))
	text := r.strings()
	for i, offset := range offsets {
		f := &reader{b: r.part(uint64(offset), uint64(len(b))-min(uint64(offset), uint64(len(b)))), err: r.err}
		units := f.uleb()
		f.uleb() // name
		file := f.uleb()
		if f.err != nil || file >= uint64(len(text)) || units > uint64(len(f.b)) {
			return errMalformed
		}
		m.funcs[function{pkg, uint32(i)}] = span{len(m.Blocks), int(units)}
		for range units {
			m.Blocks = append(m.Blocks, Block{
				File:       text[file],
				Start:      Position{int(f.uleb()), int(f.uleb())},
				End:        Position{int(f.uleb()), int(f.uleb())},
				Statements: int(f.uleb()),
			})
		}
		if f.err != nil {
			return f.err
		}
	}
	return r.err
}

// Counts returns, for each block of m, the sum of its counters in all files in dir. A sum
// that is too large is the largest number.
func (m *Meta) Counts(dir string) ([]uint32, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "covcounters.*"))
	if err != nil {
		return nil, err
	}
	counts := make([]uint32, len(m.Blocks))
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := m.add(counts, b); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return counts, nil
}

// add adds the counters of a file.
func (m *Meta) add(counts []uint32, b []byte) error {
	r := &reader{b: b}
	if err := r.header(counterMagic, "coverage counters"); err != nil {
		return err
	}
	if hash := string(r.bytes(16)); r.err == nil && hash != m.hash {
		return errors.New("the counters are those of another test binary")
	}
	flavor, bigEndian := r.byte(), r.byte()
	r.skip(6)
	next := r.uleb
	switch {
	case flavor == 1 && bigEndian == 0:
		next = func() uint64 { return uint64(r.uint32()) }
	case flavor != 2:
		return fmt.Errorf("counters of the unknown kind %d", flavor)
	}
	functions := r.uint64() // a process writes one segment
	r.skip(uint64(r.uint32()) + uint64(r.uint32()))
	r.skip(uint64(-r.at & 3))
	for ; functions > 0 && r.err == nil; functions-- {
		n := next()
		f := function{uint32(next()), uint32(next())}
		s, ok := m.funcs[f]
		if r.err == nil && (!ok || uint64(s.n) != n) {
			return errMalformed
		}
		for i := s.from; i < s.from+s.n; i++ {
			counts[i] += uint32(min(next(), uint64(^uint32(0)-counts[i])))
		}
	}
	return r.err
}

// A Profile says of the blocks of one or more test binaries how often they have run.
type Profile map[Block]uint32

// Add adds the counts of the blocks of m to p.
func (p Profile) Add(m *Meta, counts []uint32) {
	for i, b := range m.Blocks {
		p[b] += min(counts[i], ^uint32(0)-p[b])
	}
}

// Sorted returns the blocks of p by file and position.
func (p Profile) Sorted() []Block {
	blocks := make([]Block, 0, len(p))
	for b := range p {
		blocks = append(blocks, b)
	}
	slices.SortFunc(blocks, compare)
	return blocks
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
		fmt.Fprintf(&text, "%s:%d.%d,%d.%d %d %d\n", b.File, b.Start.Line, b.Start.Column, b.End.Line, b.End.Column, b.Statements, min(p[b], 1))
	}
	return []byte(text.String())
}
