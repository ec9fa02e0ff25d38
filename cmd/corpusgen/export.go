package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

var _ = register(&command{
	name:    "export",
	summary: "write the values of a corpus as files for other tools",
	usage: `usage: corpusgen export -to FORMAT [flags] DIR|FILE.zip [packages]

Export writes each value of a target's corpus to a file of its own, in
DIR/FuzzXxx, or in a new ZIP file. If there are several packages, that is
DIR/IMPORTPATH/FuzzXxx. corpusgen import reads the files. Export changes no file
that exists.

The formats are:

	libfuzzer
		the arguments of the fuzz function as bytes, as binaries of
		corpusgen libfuzzer read them; under the name that libFuzzer
		gives the file. Targets that do not use fuzzext are exported, too
	raw
		the text or bytes, for targets whose values are such
	json
		the value, as encoding/json writes it. A value that encoding/json
		does not read back as it was is listed and not written

For example:

	corpusgen export -to libfuzzer seeds.zip ./...

The flags are:

	-to FORMAT
		the format of the files
	-cache
		export also what the engine keeps in its cache
	-v
		print the name of each new file, and all entries that share a
		reason why they are not exported
` + sessionUsage + `
The exit status is 1 if a value is not written, or something else went wrong.
`,
	run: runExport,
})

// An exporter is one run of `corpusgen export`.
type exporter struct {
	*session
	format string
	cache  bool
	zip    *zip.Writer // nil for a directory
}

func runExport(ctx context.Context, args []string) error {
	r := &exporter{}
	var to string
	s, err := newSession(ctx, "export", args, func(s *session) {
		s.Own.StringVar(&r.format, "to", "", "")
		s.Own.BoolVar(&r.cache, "cache", false, "")
		s.Own.BoolVar(&s.v, "v", false, "")
	}, func(s *session) (err error) {
		if formats := []string{"libfuzzer", "raw", "json"}; !slices.Contains(formats, r.format) {
			return usageError{fmt.Sprintf("-to %q: want one of %s", r.format, strings.Join(formats, ", "))}
		}
		if len(s.Packages) == 0 {
			return usageError{"name the directory, or the ZIP file, to write"}
		}
		to, s.Packages = s.Packages[0], s.Packages[1:]
		if strings.Contains(to, "...") || hasGo(to) {
			return usageError{to + " names packages: first name the directory, or the ZIP file, to write"}
		}
		if !isZip(to) {
			s.dir = to
		} else if _, err := os.Lstat(to); err == nil {
			return usageError{to + " exists already: name a new file"}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	var archive bytes.Buffer
	if isZip(to) {
		r.zip = zip.NewWriter(&archive)
	}
	err = s.each(ctx, r.target)
	if r.zip == nil || ctx.Err() != nil {
		return err
	}
	if failed := r.zip.Close(); failed != nil {
		return failed
	}
	if failed := atomicfile.Create(to, filepath.Dir(to), archive.Bytes()); failed != nil {
		return failed
	}
	return err
}

// zipTime is the time of all files in a ZIP file: the same values give the same file. It is
// the first that the format has.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func isZip(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// hasGo reports whether a directory has Go files.
func hasGo(dir string) bool {
	files, _ := os.ReadDir(dir) // there may be no such directory
	return slices.ContainsFunc(files, func(f fs.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
}

// target exports the corpus of a target.
func (r *exporter) target(ctx context.Context, t *userTarget) error {
	dirs := []string{t.seeds}
	if r.cache {
		dirs = append(dirs, t.cache())
	}
	for _, dir := range dirs {
		if err := corpus.Check(dir); err != nil && r.format != "libfuzzer" {
			return fmt.Errorf("%s: %w", t.label, err)
		}
	}
	x := &export{exporter: r, t: t, written: map[string]bool{}}
	var err error
	if r.format == "libfuzzer" {
		err = x.arguments(ctx, dirs)
	} else {
		err = x.values(ctx, dirs)
	}
	if errors.Is(err, errPlain) || ctx.Err() != nil {
		return err
	}
	r.printf("%s: %s exported of %s (%d there before)\n", t.label, count(len(x.written), "file", "files"), count(x.entries, "entry", "entries"), x.old)
	r.emit(entriesEvent{t.event("export"), nil, x.end})
	return err
}

// An export is that of one target.
type export struct {
	*exporter
	t       *userTarget
	written map[string]bool // the names of files
	entries int
	old     int // files that were there before
	end     *job.End
}

// arguments exports the arguments of the fuzz function.
func (x *export) arguments(ctx context.Context, dirs []string) error {
	x.end = &job.End{}
	err := x.t.inputs(dirs, func(in input) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		x.entries++
		return x.put(in.name(), in)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.end.Tried, x.end.Old = x.entries, x.old
	return err
}

// values exports the values for which the entries stand.
func (x *export) values(ctx context.Context, dirs []string) error {
	files, unreadable := x.t.files(dirs...)
	answer, err := x.t.ask(ctx, job.Order{Read: &job.Read{Files: files, As: x.format}})
	if errors.Is(err, errPlain) {
		return err
	}
	x.entries, x.end = len(answer.Entries), answer.End
	err = errors.Join(unreadable, err)
	var lost []reason
	for _, e := range answer.Entries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.Status != job.Valid {
			lost = append(lost, reason{gotest.Short(e.Of), "not exported: " + e.Why})
			continue
		}
		name := input(e.File).name()
		if x.format == "json" {
			name = corpus.Name(e.Data) + ".json"
		}
		if failed := x.put(name, e.File); failed != nil {
			err = errors.Join(err, failed)
			break
		}
	}
	return errors.Join(err, x.reasons(lost))
}

// put writes a file, unless one of the same name has been written: that of the same value.
func (x *export) put(name string, data []byte) error {
	if x.written[name] {
		x.old++
		return nil
	}
	isNew, err := x.write(x.t, name, data)
	if err != nil {
		return err
	}
	x.written[name] = true
	switch {
	case !isNew:
		x.old++
	case x.v:
		x.printf("%s\n", name)
	}
	return nil
}

// write writes a file of a target, and reports whether it is new.
func (r *exporter) write(t *userTarget, name string, data []byte) (isNew bool, err error) {
	if r.zip != nil {
		path := t.name + "/" + name
		if len(r.pkgs) > 1 {
			path = t.pkg.Path + "/" + path
		}
		w, err := r.zip.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Deflate, Modified: zipTime})
		if err == nil {
			_, err = w.Write(data)
		}
		return true, err
	}
	path := filepath.Join(t.place(), name)
	if err := os.MkdirAll(t.place(), 0o777); err != nil {
		return false, err
	}
	err = atomicfile.Create(path, t.place(), data)
	if !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	if there, err := corpus.ReadFile(path); err != nil || !bytes.Equal(there, data) {
		return false, fmt.Errorf("%s exists and holds something else: export to another directory", gotest.Short(path))
	}
	return false, nil
}
