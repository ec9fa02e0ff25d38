package exchange

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An exporter is one run of `corpusgen export`.
type exporter struct {
	*session.Session
	format string
	plain  bool // a target without fuzzext is left out
}

// Export is `corpusgen export`.
func Export(ctx context.Context, args []string) error {
	r := &exporter{Session: session.New("export")}
	r.Own.StringVar(&r.format, "to", "", "")
	r.DefineCache()
	r.DefineVerbose()
	return r.Run(ctx, args, func() error {
		if formats := []string{"libfuzzer", "raw", "json"}; !slices.Contains(formats, r.format) {
			return session.Usagef("-to %q: want one of %s", r.format, strings.Join(formats, ", "))
		}
		if len(r.Packages) == 0 {
			return session.Usagef("name the directory to write")
		}
		r.Dir, r.Packages = r.Packages[0], r.Packages[1:]
		switch {
		case strings.Contains(r.Dir, "...") || gotest.HoldsPackage(r.Dir):
			return session.Usagef("%s names packages: first name the directory to write", r.Dir)
		case isZip(r.Dir):
			return session.Usagef("%s would be a directory: name it without .zip, and pack it "+
				"by another tool", r.Dir)
		}
		return nil
	}, func(ctx context.Context) error {
		err := r.Each(ctx, r.target)
		if r.plain && ctx.Err() == nil {
			r.Note("-to libfuzzer exports the arguments of targets that do not use fuzzext")
		}
		return err
	})
}

// isZip reports whether a file is a ZIP file by its name.
func isZip(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// target exports the corpus of a target.
func (r *exporter) target(ctx context.Context, t *session.Target) error {
	dirs := t.Corpora()
	x := &export{exporter: r, t: t, written: map[string]bool{}}
	var err error
	if r.format == "libfuzzer" {
		err = x.arguments(ctx, dirs)
	} else {
		err = x.values(ctx, dirs)
	}
	if errors.Is(err, session.ErrPlain) && r.format == "raw" {
		if types, _ := Types(t, dirs...); isText(types) { // it is all that an input consists of
			r.Served++
			err = x.arguments(ctx, dirs)
		}
	}
	if plain := errors.Is(err, session.ErrPlain); plain || ctx.Err() != nil {
		r.plain = r.plain || plain
		return err
	}
	r.Printf("%s: %s exported of %s (%d there before)\n", t.Label,
		session.Count(len(x.written), "file", "files"),
		session.Count(x.entries, "entry", "entries"), x.old)
	r.Emit(session.EntriesEvent{Head: t.Head("export"), Files: nil, End: x.end})
	return err
}

// An export is the export of one target.
type export struct {
	*exporter
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
	files, err := x.t.Files(dirs...)
	if err != nil {
		return err
	}
	answer, err := x.t.Ask(ctx, job.Order{Read: &job.Read{Files: files, As: x.format}})
	if errors.Is(err, session.ErrPlain) {
		return err
	}
	x.entries, x.end = len(answer.Entries), answer.End
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
		if x.format == "json" {
			name = corpus.Name(e.Data) + ".json"
		}
		if failed := x.put(name, e.File); failed != nil {
			err = errors.Join(err, failed)
			break
		}
	}
	return errors.Join(err, x.Reasons(lost))
}

// put writes a file, unless one of the same name has been written, which has the same value.
func (x *export) put(name string, data []byte) error {
	isNew, err := false, error(nil)
	if !x.written[name] {
		// Unfinished files are beside the directory: libFuzzer reads all that are in it.
		safefile.Sweep(x.t.Place())
		if _, isNew, err = corpus.Add(x.t.Place(), name, data); err != nil {
			return err
		}
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
