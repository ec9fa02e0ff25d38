package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/regular"
)

// An Exporter is one run of `corpusgen export`.
type Exporter struct {
	*session.Session
	Format string
}

// Run exports the corpora of the targets to the directory of the session.
func (r *Exporter) Run(ctx context.Context) error { return r.Each(ctx, r.target) }

// IsZip reports whether a file is a ZIP file by its name.
func IsZip(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// target exports the corpus of a target.
func (r *Exporter) target(ctx context.Context, t *session.Target) error {
	dirs := t.Corpora()
	if err := t.Check(dirs...); err != nil && r.Format != "libfuzzer" {
		return err
	}
	x := &export{Exporter: r, t: t, written: map[string]bool{}}
	var err error
	if r.Format == "libfuzzer" {
		err = x.arguments(ctx, dirs)
	} else {
		err = x.values(ctx, dirs)
	}
	if errors.Is(err, session.ErrPlain) || ctx.Err() != nil {
		return err
	}
	r.Printf("%s: %s exported of %s (%d there before)\n", t.Label, session.Count(len(x.written), "file", "files"), session.Count(x.entries, "entry", "entries"), x.old)
	r.Emit(session.EntriesEvent{Head: t.Head("export"), Files: nil, End: x.end})
	return err
}

// An export is that of one target.
type export struct {
	*Exporter
	t       *session.Target
	written map[string]bool // the names of files
	entries int
	old     int // files that were there before
	end     *job.End
}

// arguments exports the arguments of the fuzz function.
func (x *export) arguments(ctx context.Context, dirs []string) error {
	x.end = &job.End{}
	err := inputs(x.t, dirs, func(in input) error {
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
	files, unreadable := x.t.Files(dirs...)
	answer, err := x.t.Ask(ctx, job.Order{Read: &job.Read{Files: files, As: x.Format}})
	if errors.Is(err, session.ErrPlain) {
		return err
	}
	x.entries, x.end = len(answer.Entries), answer.End
	err = errors.Join(unreadable, err)
	var lost []session.Reason
	for _, e := range answer.Entries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.Status != job.Valid {
			lost = append(lost, session.Reason{Name: gotest.Short(e.Of), Why: "not exported: " + e.Why})
			continue
		}
		name := input(e.File).name()
		if x.Format == "json" {
			name = corpus.Name(e.Data) + ".json"
		}
		if failed := x.put(name, e.File); failed != nil {
			err = errors.Join(err, failed)
			break
		}
	}
	return errors.Join(err, x.Reasons(lost))
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
	case x.Verbose:
		x.Printf("%s\n", name)
	}
	return nil
}

// write writes a file of a target, and reports whether it is new.
func (r *Exporter) write(t *session.Target, name string, data []byte) (isNew bool, err error) {
	path := filepath.Join(t.Place(), name)
	if err := regular.NoLinks(t.Place()); err != nil {
		return false, err
	}
	if err := os.MkdirAll(t.Place(), 0o777); err != nil {
		return false, err
	}
	// Unfinished files are beside the directory: libFuzzer reads all that are in it.
	atomicfile.Sweep(t.Place())
	err = atomicfile.Create(path, filepath.Dir(t.Place()), data)
	if !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	if there, err := corpus.ReadFile(path); err != nil || !bytes.Equal(there, data) {
		return false, fmt.Errorf("%s exists and holds something else: export to another directory", gotest.Short(path))
	}
	return false, nil
}
