package coverage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A measuredEntry is a file of a corpus with what it covers.
type measuredEntry struct {
	path   string
	file   []byte // its content
	cached bool   // by the engine
	status job.Status
	tree   choices.Tree
	blocks []int  // that it reaches
	why    string // it is kept; "" if it is not
}

// measured is what the entries of a target cover.
type measured struct {
	blocks  []coverdata.Block
	code    []*measuredEntry // what code adds, without files
	entries []*measuredEntry
}

// unmeasured is the status of an entry of which nobody knows what it reaches.
const unmeasured job.Status = "not measured"

// A meter measures what entries reach, each by a process of its own.
type meter struct {
	t      *session.Target
	meta   *coverdata.Meta
	binary *gotest.Binary
	dir    string // for coverage data
	plain  bool
}

// measure runs the entries in dirs, the first of which is the seed corpus. The result lacks
// entries that cannot be run, for which there is an error.
func measure(ctx context.Context, t *session.Target, dirs []string) (*measured, error) {
	if err := t.Check(dirs...); err != nil {
		return nil, err
	}
	files, unreadable := t.Files(dirs...)
	answer, data, err := covered(ctx, t, job.Order{Read: &job.Read{Files: files, Added: true, Run: true, Trees: true}})
	found := &measured{}
	plain := errors.Is(err, session.ErrPlain)
	binary := t.Binary()
	isCached := func(path string) bool { return len(dirs) > 1 && filepath.Dir(path) == filepath.Clean(dirs[1]) }
	switch {
	case plain:
		t.Session.Served++
		if len(dirs) > 1 {
			run, err := runPlain(ctx, t, dirs)
			if err != nil {
				return nil, err
			}
			binary, data = run.binary, run.data
		}
		found.entries, err = plainEntries(dirs...)
		for _, c := range found.entries {
			c.cached = isCached(c.path)
		}
	case answer == nil || answer.End == nil:
		return nil, err
	case unreadable != nil: // go test fails for it, too
		err = fmt.Errorf("%s: an entry is left out:\n%w", t.Label, unreadable)
	}
	if err != nil && plain {
		return nil, err
	}
	for _, e := range answer.Entries {
		c := &measuredEntry{path: e.Of, status: e.Status, tree: choices.Tree(e.Tree)}
		var failed error
		switch c.file, failed = os.ReadFile(e.Of); {
		case e.Status == job.Rejected:
			err = errors.Join(err, fmt.Errorf("%s: an entry is left out: %s: %s", t.Label, e.Of, e.Why))
		case !filepath.IsAbs(e.Of):
			found.code = append(found.code, c)
		case failed != nil:
			err = errors.Join(err, failed)
		default:
			c.cached = isCached(e.Of)
			found.entries = append(found.entries, c)
		}
	}
	m, failed := newMeter(t, binary, data, plain)
	if failed != nil {
		return nil, noData(t, failed)
	}
	found.blocks = m.meta.Blocks
	err = errors.Join(err, m.runAll(ctx, found))
	if ctx.Err() == nil && found.reachesNothing() && measureImports(t.Workshop) {
		t.Session.Note("%s: no entry reaches any code of %s: measuring what the tests import, too: %s", t.Label, strings.Join(t.Packages, ", "), strings.Join(t.Imports, ", "))
		return measure(ctx, t, dirs)
	}
	return found, err
}

// reachesNothing reports whether entries have been measured, but reach no block.
func (m *measured) reachesNothing() bool {
	reaches := func(c *measuredEntry) bool { return len(c.blocks) > 0 }
	known := func(c *measuredEntry) bool {
		return c.status != job.Fatal && c.status != job.Hanging && c.status != unmeasured
	}
	return slices.ContainsFunc(m.entries, known) && !slices.ContainsFunc(m.entries, reaches) && !slices.ContainsFunc(m.code, reaches)
}

// newMeter returns a meter that uses the test binary that has written coverage data.
func newMeter(t *session.Target, binary, data string, plain bool) (m *meter, err error) {
	m = &meter{t: t, plain: plain}
	if m.meta, err = coverdata.ReadMeta(data); err != nil {
		return nil, err
	}
	m.binary = gotest.Built(t.Session.Env, t.Package, binary)
	m.dir, err = rundir.Sub(t.Tmp, "entries")
	return m, err
}

// runAll measures what code adds, and then each entry.
func (m *meter) runAll(ctx context.Context, found *measured) error {
	name := `seed#\d+`
	order := job.Read{Added: true, Run: true}
	code, err := m.run(ctx, name, order)
	if err != nil {
		return err
	}
	found.code = append(found.code, &measuredEntry{blocks: code.blocks})
	for i, c := range found.entries {
		m.t.Status("%v", session.Progress{Done: i, Wanted: len(found.entries), One: "entry", Many: "entries", Found: -1})
		if c.status == job.Fatal || c.status == job.Hanging {
			continue
		}
		run, err := m.run(ctx, regexp.QuoteMeta(filepath.Base(c.path)), job.Read{Files: []string{c.path}, Run: true})
		if err != nil {
			return err
		}
		c.blocks = run.blocks
		switch {
		case m.plain && !run.passed:
			c.status = job.Failing
		case !run.measured: // the process has died
			c.status = unmeasured
		}
	}
	return nil
}

// A meterRun is what one process has done.
type meterRun struct {
	blocks   []int // that it reaches
	measured bool  // it has lived to say what it reaches
	passed   bool
}

// run runs one process on the entries of an order, or, without fuzzext, on those whose names
// match.
func (m *meter) run(ctx context.Context, name string, read job.Read) (r meterRun, err error) {
	run := "^" + m.t.Name + "$"
	var vars []string
	order := job.Order{Target: m.t.Name, Answer: filepath.Join(m.t.Tmp, "answer"), Read: &read}
	if m.plain {
		run += "/^" + name + "$"
	} else {
		if err := os.Remove(order.Answer); err != nil && !errors.Is(err, fs.ErrNotExist) { // that of the entry before
			return r, err
		}
		path := filepath.Join(m.t.Tmp, "order")
		if err := order.Write(path); err != nil {
			return r, err
		}
		vars = []string{job.Env + "=" + path}
	}
	args := []string{"-test.timeout=1m", "-test.gocoverdir=" + m.dir, "-test.run=" + run}
	if slices.Contains(m.t.Session.Test, "-test.short=true") {
		args = append(args, "-test.short")
	}
	exit := m.binary.Run(gotest.Process{Args: slices.Concat(args, m.t.Session.Args), Vars: vars, Output: io.Discard, Interrupt: ctx, Kill: ctx})
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	r.passed = exit.Err == nil
	files, counts, err := m.counts()
	r.measured = files > 0 || m.plain && r.passed // a process that reaches nothing writes no file
	if answer, failed := order.ReadAnswer(); !m.plain && failed == nil && answer != nil && answer.End != nil {
		r.measured = true
	}
	for i, n := range counts {
		if n > 0 {
			r.blocks = append(r.blocks, i)
		}
	}
	return r, err
}

// counts reads the counters of a process, and makes room for those of the next one.
func (m *meter) counts() (files int, counts []uint32, err error) {
	counts, err = m.meta.Counts(m.dir)
	paths, failed := filepath.Glob(filepath.Join(m.dir, "covcounters.*"))
	err = errors.Join(err, failed)
	for _, path := range paths {
		err = errors.Join(err, os.Remove(path))
	}
	return len(paths), counts, err
}
