package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

var _ = register(&command{
	name:    "import",
	summary: "turn inputs of other fuzzers, or JSON values, into corpus entries",
	usage: `usage: corpusgen import -from FORMAT [flags] FILE|DIR|ZIP...

Import reads values from files, runs the target's generator backward on them,
and adds them to the target's corpus, as files in testdata/fuzz/FuzzXxx. It
writes only values that the corpus does not have. An argument that is a
directory, or a ZIP file, stands for the files in it.

The formats are:

	raw
		each file is a value: a text, or bytes
	libfuzzer
		inputs of a binary of corpusgen libfuzzer, also the files
		crash-*, leak-*, timeout-* and oom-*: the arguments of the fuzz
		function as bytes. Targets that do not use fuzzext take them, too
	gofuzz
		inputs of go-fuzz for this target. If the target takes a text,
		or bytes, the file is the value. Otherwise its bytes stand for
		a value, as they do for go test -fuzz
	headers
		inputs of github.com/AdaLogics/go-fuzz-headers, decoded by that
		library, also in corpus files of go test -fuzz. A test file of
		the package must import
		github.com/espalier-go/espalier/fuzzext/headers
	json
		JSON values, as encoding/json reads them into the type of the
		target's values. A file may hold several, one after the other.
		A field that the type lacks is an error
	rapid
		import cannot read fail files of pgregory.net/rapid, and says
		what to do instead

A file that gives no value, or one that the generator does not make, is listed
with the reason, and a copy is kept in testdata/rejected/FuzzXxx. For JSON, the
number behind the name of the file is the line. Values that the property does
not assume, or for which it fails, are imported and counted.

For example:

	corpusgen import -from json -fuzz FuzzInsert cases.json

The flags are:

	-from FORMAT
		the format of the files
	-package pattern
		the package of the target (default .)
	-rejects dir
		keep copies of files that are not imported in dir instead of
		testdata/rejected/FuzzXxx
	-o dir
		write to dir/FuzzXxx instead of testdata/fuzz/FuzzXxx
	-v
		print the name of each new file, and all values that share a
		reason why they are not imported
` + sessionUsage + `
There must be one target: use -fuzz to select it. The exit status is 1 if a file
gives no value, or something else went wrong.
`,
	run: runImport,
})

// noRapid says why fail files of rapid cannot be imported, and what to do.
const noRapid = `-from rapid: a fail file of rapid holds the random bits of one run of a rapid generator. Only that generator,
with that version of rapid, makes a value of them. The comments in the file show the values drawn: write the value
as Go code and make it a seed by fuzzext.Add(f, gen, value). Or print it as JSON in the rapid test, run that with
-rapid.failfile=FILE, and use corpusgen import -from json`

// An importer is one run of `corpusgen import`.
type importer struct {
	*session
	from    string
	rejects string
	files   []foreignFile
	kept    int // copies of files
}

func runImport(ctx context.Context, args []string) error {
	r := &importer{}
	var pattern string
	var paths []string
	s, err := newSession(ctx, "import", args, func(s *session) {
		s.Own.StringVar(&r.from, "from", "", "")
		s.Own.StringVar(&pattern, "package", ".", "")
		s.Own.StringVar(&r.rejects, "rejects", "", "")
		s.Own.StringVar(&s.dir, "o", "", "")
		s.Own.BoolVar(&s.v, "v", false, "")
	}, func(s *session) (err error) {
		paths, s.Packages = s.Packages, []string{pattern}
		switch formats := []string{"raw", "libfuzzer", "gofuzz", "headers", "json"}; {
		case r.from == "rapid":
			return usageError{noRapid}
		case !slices.Contains(formats, r.from):
			return usageError{fmt.Sprintf("-from %q: want one of %s", r.from, strings.Join(formats, ", "))}
		case len(paths) == 0:
			return usageError{"name at least one file, or a directory of files"}
		case r.rejects != "":
			if info, err := os.Stat(r.rejects); err == nil && !info.IsDir() {
				return usageError{fmt.Sprintf("-rejects: %s is not a directory", r.rejects)}
			}
			r.rejects, err = filepath.Abs(r.rejects)
		}
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	if err := s.onlyTarget(); err != nil {
		return err
	}
	if r.files, err = r.foreignFiles(paths); err != nil {
		return err
	}
	if r.from == "libfuzzer" {
		return s.each(ctx, r.arguments)
	}
	return s.each(ctx, r.target)
}

// onlyTarget returns an error, with the targets there are, unless one is selected.
func (s *session) onlyTarget() error {
	var labels []string
	for _, pkg := range s.pkgs {
		for _, name := range pkg.Targets {
			labels = append(labels, pkg.Path+" "+name)
		}
	}
	switch {
	case len(labels) == 0:
		return errReported // by newSession
	case len(labels) > 1:
		return usageError{fmt.Sprintf("values go to one target, but %d are selected: use -fuzz, and -package; there are:\n\t%s", len(labels), strings.Join(labels, "\n\t"))}
	}
	return nil
}

// target imports the files into a target's corpus.
func (r *importer) target(ctx context.Context, t *userTarget) error {
	if err := corpus.Check(t.seeds); err != nil {
		return fmt.Errorf("%s: %w", t.label, err)
	}
	order := &job.Import{Format: r.from}
	for _, f := range r.files {
		order.Files = append(order.Files, f.path)
	}
	answer, err := t.ask(ctx, job.Order{Import: order})
	if errors.Is(err, errPlain) {
		return fmt.Errorf("%s does not use fuzzext.Valid or fuzzext.Fuzz, so corpusgen cannot run its generator", t.label)
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
	paths, old, failed := t.deliver(ctx, valid)
	err = errors.Join(err, failed, r.reject(t, rejected))
	text := fmt.Sprintf("%s: %s: %d imported to %s, %d known already, %d rejected", t.label,
		count(len(answer.Entries), "value", "values"), len(paths), t.place(), old, len(rejected))
	if missing := len(valid) - len(paths) - old; missing > 0 {
		text += fmt.Sprintf(", %d not written", missing)
	}
	if r.kept > 0 {
		text += fmt.Sprintf(" (%s in %s)", count(r.kept, "copy", "copies"), gotest.Short(r.rejectsOf(t)))
	}
	r.printf("%s\n", text)
	if r.v {
		for _, path := range paths {
			r.printf("\t%s\n", filepath.Base(path))
		}
	}
	end := answer.End
	if end != nil {
		end.Old, end.Rejected = old, len(rejected)
		end.Invalid = r.tell(ctx, t, paths)
	}
	r.emit(entriesEvent{t.event("import"), paths, end})
	return err
}

// arguments imports files that are the arguments of the fuzz function.
func (r *importer) arguments(ctx context.Context, t *userTarget) error {
	types, err := t.types(t.seeds, t.cache())
	if err != nil {
		return err
	}
	to := &goCorpus{dir: t.place(), types: types}
	to.open(to.dir)
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
			if path, isNew, err = to.add(data); cannotWrite(err) {
				errs = append(errs, err)
				break
			}
		}
		switch {
		case err != nil:
			end.Rejected++
			errs = append(errs, fmt.Errorf("%s: not imported: %s", f.name, strings.ReplaceAll(err.Error(), f.path, f.name)))
		case isNew:
			paths = append(paths, path)
		default:
			end.Old++
		}
		if err == nil && isArtifact(f.base) && !slices.Contains(failing, path) {
			failing = append(failing, path)
		}
	}
	r.printf("%s: %s: %d imported to %s, %d known already, %d rejected\n", t.label,
		count(end.Tried, "input", "inputs"), len(paths), t.place(), end.Old, end.Rejected)
	if r.v {
		for _, path := range paths {
			r.printf("\t%s\n", filepath.Base(path))
		}
	}
	if len(failing) > 0 && r.dir == "" {
		r.printf("    %s failed under libFuzzer, by the names of the files: go test is to fail, too. To see it:\n", count(len(failing), "input", "inputs"))
		for _, path := range failing {
			r.printf("\t%s\n", t.rerun(path))
		}
	}
	r.emit(entriesEvent{t.event("import"), paths, end})
	return errors.Join(errs...)
}

// isArtifact reports whether libFuzzer gives a file this name because its input fails.
func isArtifact(base string) bool {
	for _, kind := range []string{"crash-", "leak-", "timeout-", "oom-", "minimized-from-"} {
		if strings.Contains(base, kind) { // after the end of an -artifact_prefix
			return true
		}
	}
	return false
}

// reject lists values that are not imported, and keeps copies of their files.
func (r *importer) reject(t *userTarget, rejected []job.Entry) error {
	var list []reason
	var errs []error
	fileOf := filesOf(r.files)
	seen := map[string]bool{} // paths of files
	for _, e := range rejected {
		f, name := fileOf(e.Of)
		list = append(list, reason{name, strings.ReplaceAll(e.Why, f.path, f.name)})
		if !seen[f.path] {
			seen[f.path] = true
			failed := f.keep(r.rejectsOf(t))
			if failed == nil {
				r.kept++
			}
			errs = append(errs, failed)
		}
		r.emit(t.entryEvent("rejected", e))
	}
	return errors.Join(r.reasons(list), errors.Join(errs...))
}

// rejectsOf is the directory for copies of a target's files that are not imported.
func (r *importer) rejectsOf(t *userTarget) string {
	if r.rejects != "" {
		return r.rejects
	}
	return filepath.Join(t.pkg.Dir, "testdata", "rejected", t.name)
}

// tell says what the property makes of new entries, and returns how many it does not assume.
// They stay: the user has chosen them.
func (r *importer) tell(ctx context.Context, t *userTarget, paths []string) (invalid int) {
	if len(paths) == 0 {
		return 0
	}
	read := &job.Read{Run: true}
	for _, path := range paths {
		if abs, err := filepath.Abs(path); err == nil {
			read.Files = append(read.Files, abs)
		}
	}
	answer, _ := t.ask(ctx, job.Order{Read: read}) // if the property ends the process often, the rest is not known
	failing := 0
	for _, e := range answer.Entries {
		switch {
		case e.Status == job.Invalid:
			invalid++
		case isFailure(e.Status):
			failing++
		}
	}
	if invalid > 0 {
		r.printf("    the property does not assume %d of those imported: they add nothing to a test\n", invalid)
	}
	if failing > 0 {
		r.printf("    the property fails for %d of those imported: go test will fail\n", failing)
	}
	return invalid
}
