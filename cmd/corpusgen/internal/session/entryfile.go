package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// An EntryFile is a corpus entry that the command line names. Its path says of which target
// it is.
type EntryFile struct {
	Name   string // as on the command line, or below the directory there
	path   string // absolute
	pkg    string // directory or import path of the package
	Target string // see saved.go for tests
}

func (f *EntryFile) in(pkg gotest.Package) bool { return f.pkg == pkg.Dir || f.pkg == pkg.Path }

// NameFiles has the command line name entries instead of packages: files, or directories of
// entries. They are in testdata/fuzz/FuzzXxx or testdata/fuzzext/TestXxx of a package, or in the
// engine's cache. Their packages are the packages of the session.
func (s *Session) NameFiles() error {
	if len(s.Packages) == 0 {
		return UsageError{"name at least one file of a corpus"}
	}
	for _, name := range s.Packages {
		names, err := entriesAt(name)
		if err != nil {
			return err
		}
		for _, name := range names {
			f, err := locate(s.Env, name)
			if err != nil {
				return err
			}
			s.Files = append(s.Files, f)
		}
	}
	s.Packages = packagesOf(s.Files)
	return nil
}

// entriesAt returns the file, or the files of the directory, that has a name.
func entriesAt(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, UsageError{err.Error()}
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	if err := corpus.Check(name); err != nil {
		return nil, err
	}
	names, err := FilesIn(name)
	if err == nil && len(names) == 0 {
		err = UsageError{fmt.Sprintf("%s holds no corpus entry", name)}
	}
	return names, err
}

// FilesIn returns the paths of the files in directories, which need not exist. The error is that
// of the first that cannot be read. Files of a corpus may be no entries.
func FilesIn(dirs ...string) (paths []string, err error) {
	for _, dir := range dirs {
		files, failed := os.ReadDir(dir)
		if err == nil && !errors.Is(failed, fs.ErrNotExist) {
			err = failed
		}
		for _, f := range files {
			if !f.IsDir() {
				paths = append(paths, filepath.Join(dir, f.Name()))
			}
		}
	}
	return paths, err
}

// locate finds out of which target a file is an entry.
func locate(env *gotest.Env, name string) (f EntryFile, err error) {
	f.Name = name
	if f.path, err = filepath.Abs(name); err != nil {
		return f, err
	}
	dir := filepath.Dir(f.path)
	f.Target = filepath.Base(dir)
	above := filepath.Dir(dir)
	if rel, err := filepath.Rel(filepath.Join(env.GOCACHE, "fuzz"), above); err == nil &&
		filepath.IsLocal(rel) {
		f.pkg = filepath.ToSlash(rel)
		if test := strings.TrimPrefix(f.Target, "Fuzz_"); strings.HasPrefix(test, "Test") {
			f.Target = test // see gotest.Check
		}
		return f, nil
	}
	if filepath.Base(above) == "fuzz" && filepath.Base(filepath.Dir(above)) == "testdata" {
		f.pkg = filepath.Dir(filepath.Dir(above))
		return f, nil
	}
	for ; filepath.Dir(above) != above; above = filepath.Dir(above) {
		if filepath.Base(above) == "fuzzext" && filepath.Base(filepath.Dir(above)) == "testdata" {
			folder, err := filepath.Rel(above, dir)
			f.Target, f.pkg = filepath.ToSlash(folder), filepath.Dir(filepath.Dir(above))
			return f, err
		}
	}
	return f, UsageError{fmt.Sprintf("%s is not in testdata/fuzz/FuzzXxx or "+
		"testdata/fuzzext/TestXxx of a package, nor in the engine's cache: its target is not known",
		name)}
}

// packagesOf returns the packages of files, as patterns.
func packagesOf(files []EntryFile) (patterns []string) {
	for _, f := range files {
		pattern := f.pkg
		if rel := gotest.Short(f.pkg); filepath.IsAbs(f.pkg) && !filepath.IsAbs(rel) {
			pattern = filepath.ToSlash(rel)
			if rel != "." {
				pattern = "./" + pattern
			}
		}
		if !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// ReadFiles asks the targets of the files that the command line names what they stand for. It
// returns the entries in the order of the files. Entries of targets that give no answer are
// missing.
func (s *Session) ReadFiles(ctx context.Context, order job.Read) (entries []FileEntry, err error) {
	found := make([]*FileEntry, len(s.Files))
	err = s.Each(ctx, func(ctx context.Context, t *Target) error {
		order := order
		var at []int
		for i, f := range s.Files {
			if f.Target == t.Name && f.in(t.Package) {
				order.Files, at = append(order.Files, f.path), append(at, i)
			}
		}
		if len(at) == 0 {
			return nil
		}
		answer, err := t.Ask(ctx, job.Order{Read: &order})
		if errors.Is(err, ErrPlain) || err != nil && ctx.Err() == nil && t.isPlain() {
			answer.Entries, err = t.plainEntries(order.Files), nil
			s.Served++
		}
		for _, e := range answer.Entries {
			found[at[e.Number]] = &FileEntry{e, s.Files[at[e.Number]], t}
		}
		return err
	})
	for i, e := range found {
		if e != nil {
			entries = append(entries, *e)
		} else if err == nil {
			err = s.Files[i].noTarget()
		}
	}
	return entries, err
}

// noTarget returns the error of a file whose target does not exist.
func (f *EntryFile) noTarget() error {
	kind := "fuzz target"
	if !strings.HasPrefix(f.Target, "Fuzz") {
		kind = "test that calls fuzzext.Check,"
	}
	return fmt.Errorf("%s: there is no %s %s in %s", f.Name, kind, f.Target, f.pkg)
}

// A FileEntry is what an entry file stands for.
type FileEntry struct {
	job.Entry
	File   EntryFile
	Target *Target
}

// Broken returns an error if the file stands for no value.
func (e *FileEntry) Broken() error {
	if e.Status != job.Rejected && (e.Status != job.Fatal || e.Data != nil) {
		return nil
	}
	return errors.New(e.File.Name + ": " + strings.TrimRight(e.Why, "\n"))
}
