package exchange

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An importer is one run of `corpusgen import`.
type importer struct {
	*session.Session
	from    string
	rejects string
	paths   []string // that arguments name
	files   []foreignFile
	kept    int // copies of files
}

// Import is `corpusgen import`.
func Import(ctx context.Context, args []string) error {
	r := &importer{Session: session.New("import")}
	r.Own.StringVar(&r.from, "from", "", "")
	pattern := r.Own.String("package", ".", "")
	r.Own.StringVar(&r.rejects, "rejects", "", "")
	r.Own.StringVar(&r.Dir, "o", "", "")
	r.DefineVerbose()
	return r.Run(ctx, args, func() (err error) {
		r.paths, r.Packages = r.Packages, []string{*pattern}
		switch formats := []string{"raw", "libfuzzer", "gofuzz", "headers", "json"}; {
		case !slices.Contains(formats, r.from):
			return session.Usagef("-from %q: want one of %s", r.from, strings.Join(formats, ", "))
		case len(r.paths) == 0:
			return session.Usagef("name at least one file, or a directory of files")
		case r.rejects != "":
			if info, err := os.Stat(r.rejects); err == nil && !info.IsDir() {
				return session.Usagef("-rejects: %s is not a directory", r.rejects)
			}
			r.rejects, err = filepath.Abs(r.rejects)
		}
		return err
	}, r.run)
}

// run imports the files.
func (r *importer) run(ctx context.Context) (err error) {
	switch labels := r.Labels(); {
	case len(labels) == 0:
		return session.ErrReported // by Run
	case len(labels) > 1:
		return session.Usagef("values go to one target, but %d are selected: use -fuzz, and "+
			"-package; there are:\n\t%s", len(labels), strings.Join(labels, "\n\t"))
	}
	if r.files, err = r.foreignFiles(r.paths); err != nil {
		return err
	}
	if r.from == "libfuzzer" {
		return r.Each(ctx, r.arguments)
	}
	return r.Each(ctx, r.target)
}

// target imports the files into a target's corpus.
func (r *importer) target(ctx context.Context, t *session.Target) error {
	if err := t.Check(t.Seeds); err != nil {
		return err
	}
	order := &job.Read{Format: r.from, Values: maxRejected}
	for _, f := range r.files {
		order.Files = append(order.Files, f.path)
	}
	answer, err := t.Ask(ctx, job.Order{Read: order})
	if errors.Is(err, session.ErrPlain) {
		if r.from == "raw" || r.from == "gofuzz" {
			return r.plain(ctx, t)
		}
		return fmt.Errorf("%s does not use fuzzext.Valid or fuzzext.Fuzz, so corpusgen cannot "+
			"run its generator", t.Label)
	}
	if ctx.Err() != nil {
		return err
	}
	var valid, rejected []job.Entry
	for _, e := range answer.Entries {
		if e.Status == job.Valid {
			valid = append(valid, e)
		} else {
			rejected = append(rejected, e)
		}
	}
	paths, old, failed := t.Deliver(ctx, valid)
	err = errors.Join(err, failed, r.reject(t, rejected))
	text := fmt.Sprintf("%s: %s: %d imported to %s, %d known already, %d rejected", t.Label,
		session.Count(len(answer.Entries), "value", "values"), len(paths), t.Place(), old, len(rejected))
	if missing := len(valid) - len(paths) - old; missing > 0 {
		text += fmt.Sprintf(", %d not written", missing)
	}
	if r.kept > 0 {
		text += fmt.Sprintf(" (%s in %s)", session.Count(r.kept, "copy", "copies"),
			gotest.Short(r.rejectsOf(t)))
	}
	r.Printf("%s\n", text)
	r.List(paths)
	end := answer.End
	if end != nil {
		end.Old, end.Rejected = old, len(rejected)
		end.Invalid = r.tell(ctx, t, paths)
	}
	r.Emit(session.EntriesEvent{Head: t.Head("import"), Files: paths, End: end})
	return err
}

// plain imports files that are the only argument, a text or bytes, of a target that does not use
// fuzzext.
func (r *importer) plain(ctx context.Context, t *session.Target) error {
	types, err := Types(t, t.Seeds, t.Cache())
	if err != nil {
		return err
	}
	if !isText(types) {
		return fmt.Errorf("%s takes (%s): a file can be the value of one []byte or string only",
			t.Label, TypeList(types))
	}
	return r.arguments(ctx, t)
}

// maxRejected is how many bytes of Go code -json has of a value.
const maxRejected = 8 << 10

// arguments imports files that are the arguments of the fuzz function.
func (r *importer) arguments(ctx context.Context, t *session.Target) error {
	types, err := Types(t, t.Seeds, t.Cache())
	if err != nil {
		return err
	}
	to := &GoCorpus{Dir: t.Place(), Types: types}
	to.Open(to.Dir)
	var paths, failing []string
	var errs []error
	end := &job.End{}
	for _, f := range r.files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		end.Tried++
		path, isNew := "", false
		data, err := corpus.ReadFile(f.path)
		if err == nil {
			if path, isNew, err = to.Add(data); cannotWrite(err) {
				errs = append(errs, err)
				break
			}
		}
		switch {
		case err != nil:
			end.Rejected++
			why := strings.ReplaceAll(err.Error(), f.path, f.name)
			errs = append(errs, fmt.Errorf("%s: not imported: %s", f.name, why))
			continue
		case isNew:
			paths = append(paths, path)
		default:
			end.Old++
		}
		if isArtifact(f.base) && !slices.Contains(failing, path) {
			failing = append(failing, path)
		}
	}
	r.Printf("%s: %s: %d imported to %s, %d known already, %d rejected\n", t.Label,
		session.Count(end.Tried, "input", "inputs"), len(paths), t.Place(), end.Old, end.Rejected)
	r.List(paths)
	if r.Dir == "" {
		r.tellFailing(t, failing)
	}
	r.Emit(session.EntriesEvent{Head: t.Head("import"), Files: paths, End: end})
	return errors.Join(errs...)
}

// tellFailing tells how to run entries that failed under libFuzzer.
func (r *importer) tellFailing(t *session.Target, failing []string) {
	if len(failing) == 0 {
		return
	}
	r.Printf("    %s failed under libFuzzer, by the names of the files: go test is to fail, "+
		"too. To see it:\n", session.Count(len(failing), "input", "inputs"))
	for _, path := range failing {
		r.Printf("\t%s\n", t.Rerun(path))
	}
}

// isArtifact reports whether libFuzzer gives a file this name because its input fails.
func isArtifact(base string) bool {
	// after the end of an -artifact_prefix
	kinds := []string{"crash-", "leak-", "timeout-", "oom-", "minimized-from-"}
	return slices.ContainsFunc(kinds, func(kind string) bool { return strings.Contains(base, kind) })
}

// reject lists values that are not imported, and keeps copies of their files.
func (r *importer) reject(t *session.Target, rejected []job.Entry) error {
	var list []session.Reason
	var errs []error
	fileOf := filesOf(r.files)
	seen := map[string]bool{} // paths of files
	for _, e := range rejected {
		f, name := fileOf(e.Of)
		list = append(list, session.Reason{Name: name, Why: strings.ReplaceAll(e.Why, f.path, f.name)})
		if !seen[f.path] {
			seen[f.path] = true
			dir := r.rejectsOf(t)
			failed, unfinished := safefile.Below(t.Package.Dir, dir), filepath.Dir(dir)
			if r.rejects != "" { // it may be the root of a file system
				failed, unfinished = nil, dir
			}
			if failed == nil {
				failed = f.keep(dir, unfinished)
			}
			if failed == nil {
				r.kept++
			}
			errs = append(errs, failed)
		}
		r.Emit(t.EntryEvent("rejected", e))
	}
	return errors.Join(r.Reasons(list), errors.Join(errs...))
}

// rejectsOf is the directory for copies of a target's files that are not imported.
func (r *importer) rejectsOf(t *session.Target) string {
	if r.rejects != "" {
		return r.rejects
	}
	return filepath.Join(t.Package.Dir, "testdata", "rejected", t.Name)
}

// tell says what the property makes of new entries, and returns how many it does not assume.
// They stay: the user has chosen them.
func (r *importer) tell(ctx context.Context, t *session.Target, paths []string) (invalid int) {
	if len(paths) == 0 {
		return 0
	}
	read := &job.Read{Run: true}
	for _, path := range paths {
		if abs, err := filepath.Abs(path); err == nil {
			read.Files = append(read.Files, abs)
		}
	}
	// if the property ends the process often, the rest is not known
	answer, _ := t.Ask(ctx, job.Order{Read: read})
	failing := 0
	for _, e := range answer.Entries {
		switch {
		case e.Status == job.Invalid:
			invalid++
		case session.IsFailure(e.Status):
			failing++
		}
	}
	if invalid > 0 {
		r.Printf("    the property does not assume %d of those imported: they add nothing to "+
			"a test\n", invalid)
	}
	if failing > 0 {
		r.Printf("    the property fails for %d of those imported: go test will fail\n", failing)
	}
	return invalid
}
