package exchange

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/regular"
)

// A foreignFile is a file of another format.
type foreignFile struct {
	path string // absolute, for the target to read
	name string // for the user
	base string // of a copy that is kept
}

// foreignFiles returns the files that arguments name: files, those in directories, and those
// in ZIP files. What a directory has besides is named.
func (r *Importer) foreignFiles(args []string) (files []foreignFile, err error) {
	add := func(name string) error {
		path, err := filepath.Abs(name)
		f := foreignFile{path, regular.Quoted(name), filepath.Base(path)}
		if err == nil && !utf8.ValidString(path) { // no order could name it
			f.path = filepath.Join(r.Tmp.Path, fmt.Sprintf("name-%d", len(files)))
			var data []byte
			if data, err = corpus.ReadFile(path); err == nil {
				err = os.WriteFile(f.path, data, 0o666)
			}
		}
		files = append(files, f)
		return err
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err == nil && !info.IsDir() {
			err = regular.CheckEntry(arg, math.MaxInt64)
		}
		switch {
		case err != nil:
			return nil, session.UsageError{Msg: err.Error()}
		case !info.IsDir() && IsZip(arg):
			inside, err := r.unzip(arg)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", arg, err)
			}
			files = append(files, inside...)
			continue
		case !info.IsDir():
			if err := add(arg); err != nil {
				return nil, err
			}
			continue
		}
		found, err := os.ReadDir(arg)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			name := filepath.Join(arg, f.Name())
			switch {
			case strings.HasPrefix(f.Name(), atomicfile.Prefix): // unfinished
			case f.IsDir():
				r.Note("%s is left out: it is a directory; name it to import its files", name)
			case r.From == "gofuzz" && isReport(f.Name()):
				r.Note("%s is left out: it is a report of go-fuzz on the input beside it", name)
			default:
				if err := add(name); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(files) == 0 {
		return nil, session.UsageError{Msg: strings.Join(args, " ") + ": no files to import"}
	}
	return files, nil
}

// isReport reports whether a file of go-fuzz's directory crashers is no input.
func isReport(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".quoted" || ext == ".output"
}

// unzip extracts the files in a ZIP file, without regard to their names. If some are in a
// directory of the target's name, as export writes them, it leaves the others out.
func (r *Importer) unzip(name string) (files []foreignFile, err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	dir, err := rundir.Sub(r.Tmp.Path, "zip")
	if err != nil {
		return nil, err
	}
	var packed int64
	if info, err := os.Stat(name); err == nil {
		packed = info.Size()
	}
	room := min(maxUnpacked, 64<<20+maxRatio*packed) // bytes
	ofTarget := func(f *zip.File) bool { return path.Base(path.Dir(f.Name)) == r.Pkgs[0].Targets[0] }
	some := slices.ContainsFunc(z.File, ofTarget)
	others := 0
	for i, f := range z.File {
		switch {
		case f.FileInfo().IsDir():
			continue
		case some && !ofTarget(f):
			others++
			continue
		}
		to := filepath.Join(dir, strconv.Itoa(i))
		n, err := extract(f, to, min(room, corpus.MaxFile))
		if room -= n; room < 0 {
			return nil, fmt.Errorf("%s and the files before it unpack to too much: at most %d bytes, and 64 MiB more than %d times the archive: unpack it yourself, and name the directory", f.Name, int64(maxUnpacked), maxRatio)
		}
		if err != nil {
			r.Complain(fmt.Errorf("%s:%s: not imported: %w", name, f.Name, err))
			continue
		}
		base := filepath.Base(filepath.Clean("/" + strings.ReplaceAll(f.Name, `\`, "/")))
		files = append(files, foreignFile{to, regular.Quoted(name + ":" + f.Name), strings.Trim(base, `/\`)})
	}
	if others > 0 {
		r.Note("%s: %s left out: not in a folder %s", name, session.Count(others, "file is", "files are"), r.Pkgs[0].Targets[0])
	}
	return files, nil
}

// What a ZIP file unpacks to: bytes in all, and how many times its own size.
const (
	maxUnpacked = 2 << 30
	maxRatio    = 100
)

// extract extracts a file, whatever size it claims, and returns its size, or one more than most.
func extract(f *zip.File, to string, most int64) (n int64, err error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	n, err = io.Copy(out, io.LimitReader(in, most+1))
	if err == nil && n > corpus.MaxFile {
		err = fmt.Errorf("the file has more than %d bytes: at most so many are read", int64(corpus.MaxFile))
	}
	return n, err
}

// filesOf returns a function that finds the file of a value, and the value's name for the
// user. A file may hold several values: then their names end with a number.
func filesOf(files []foreignFile) func(value string) (f foreignFile, name string) {
	byPath := map[string]foreignFile{}
	for _, f := range files {
		byPath[f.path] = f
	}
	return func(value string) (f foreignFile, name string) {
		if f, ok := byPath[value]; ok {
			return f, f.name
		}
		if i := strings.LastIndexByte(value, ':'); i >= 0 {
			if f, ok := byPath[value[:i]]; ok {
				return f, f.name + value[i:]
			}
		}
		return foreignFile{path: value, name: value}, value
	}
}

// keep copies the file to a directory, under a name that no other file there has.
func (f *foreignFile) keep(dir string) error {
	b, err := corpus.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("%s: no copy is kept: it cannot be read", f.name)
	}
	base := f.base
	if base == "" || base == "." {
		base = "file"
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("%s: no copy is kept: %w", f.name, err)
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, base)
		if n > 1 {
			path += "." + strconv.Itoa(n)
		}
		err := atomicfile.Create(path, dir, b)
		if errors.Is(err, fs.ErrExist) {
			if there, err := corpus.ReadFile(path); err == nil && string(there) == string(b) {
				return nil
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: no copy is kept: %w", f.name, err)
		}
		return nil
	}
}
