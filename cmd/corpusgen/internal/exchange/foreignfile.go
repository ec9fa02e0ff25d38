package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A foreignFile is a file of another format.
type foreignFile struct {
	path string // absolute, for the target to read
	name string // for the user
	base string // of a copy that is kept
}

// foreignFiles returns the files that arguments name: files, and those in directories. What a
// directory has besides is named.
func (r *importer) foreignFiles(args []string) (files []foreignFile, err error) {
	var names []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err == nil && !info.IsDir() {
			err = safefile.CheckEntry(arg, math.MaxInt64)
		}
		switch {
		case err != nil:
			return nil, session.UsageError{Msg: err.Error()}
		case !info.IsDir() && isZip(arg):
			return nil, session.UsageError{Msg: arg + " is a ZIP file: unpack it, and name the directory"}
		case !info.IsDir():
			names = append(names, arg)
			continue
		}
		found, err := r.filesIn(arg)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return nil, session.UsageError{Msg: strings.Join(args, " ") + ": no files to import"}
	}
	for i, name := range names {
		f, err := r.foreignFile(name, i)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// filesIn returns the names of the files to import in a directory.
func (r *importer) filesIn(dir string) (names []string, err error) {
	found, err := os.ReadDir(dir)
	for _, f := range found {
		name := filepath.Join(dir, f.Name())
		switch {
		case strings.HasPrefix(f.Name(), safefile.Prefix): // unfinished
		case f.IsDir():
			r.Note("%s is left out: it is a directory; name it to import its files", name)
		case r.from == "gofuzz" && isReport(f.Name()):
			r.Note("%s is left out: it is a report of go-fuzz on the input beside it", name)
		default:
			names = append(names, name)
		}
	}
	return names, err
}

// foreignFile returns the file of a name. If no order can name it, it is copied, under the number
// n.
func (r *importer) foreignFile(name string, n int) (foreignFile, error) {
	path, err := filepath.Abs(name)
	f := foreignFile{path, safefile.Quoted(name), filepath.Base(path)}
	if err != nil || utf8.ValidString(path) {
		return f, err
	}
	f.path = filepath.Join(r.Tmp.Path, fmt.Sprintf("name-%d", n))
	data, err := corpus.ReadFile(path)
	if err != nil {
		return f, err
	}
	return f, os.WriteFile(f.path, data, 0o666)
}

// isReport reports whether a file of go-fuzz's directory crashers is not an input.
func isReport(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".quoted" || ext == ".output"
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

// keep copies the file to a directory, under a name that no other file there has. Until it is
// whole, it is in another directory.
func (f *foreignFile) keep(dir, unfinished string) error {
	b, err := corpus.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("%s: no copy is kept: it cannot be read", f.name)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("%s: no copy is kept: %w", f.name, err)
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, f.base)
		if n > 1 {
			path += "." + strconv.Itoa(n)
		}
		err := safefile.Create(path, unfinished, b)
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
