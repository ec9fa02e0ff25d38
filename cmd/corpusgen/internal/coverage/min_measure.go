package coverage

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
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
	blocks  []Block
	index   map[Block]int    // of blocks
	code    []*measuredEntry // what code adds, without files
	entries []*measuredEntry
}

// unmeasured is the status of an entry whose coverage is not known.
const unmeasured job.Status = "not measured"

// A meter measures what entries reach, each by a process of its own.
type meter struct {
	t      *session.Target
	binary *gotest.Binary
	plain  bool
	corpus string // the directory that the binary of a plain target reads, if it may change; or ""
}

// measure runs the entries in dirs, the first of which is the seed corpus. The result lacks
// entries that cannot be run, for which there is an error.
func measure(ctx context.Context, t *session.Target, dirs []string) (*measured, error) {
	files, err := t.Files(dirs...)
	if err != nil {
		return nil, err
	}
	answer, data, err := covered(ctx, t,
		job.Order{Read: &job.Read{Files: files, Added: true, Run: true, Trees: true}})
	found := &measured{index: map[Block]int{}}
	ran := session.PlainError{}
	plain := errors.As(err, &ran)
	binary, copied := t.Binary(), ""
	isCached := func(path string) bool {
		return len(dirs) > 1 && filepath.Dir(path) == filepath.Clean(dirs[1])
	}
	switch {
	case plain:
		run, failed := runPlain(ctx, t, ran, data, dirs)
		if failed != nil {
			return nil, failed
		}
		binary, copied, data = run.binary, run.corpus, run.data
		found.entries, err = plainEntries(dirs...)
		for _, c := range found.entries {
			c.cached = isCached(c.path)
			if slices.ContainsFunc(run.killers, func(k Killer) bool {
				return k.Name == filepath.Base(c.path)
			}) {
				c.status = job.Fatal
			}
		}
	case answer == nil || answer.End == nil:
		return nil, err
	}
	if err != nil && plain {
		return nil, err
	}
	for _, e := range answer.Entries {
		c := &measuredEntry{path: e.Of, status: e.Status, tree: choices.Tree(e.Tree)}
		var failed error
		switch c.file, failed = corpus.ReadFile(e.Of); {
		case e.Status == job.Rejected:
			err = errors.Join(err, t.LeftOut(e))
		case !filepath.IsAbs(e.Of):
			found.code = append(found.code, c)
		case failed != nil:
			err = errors.Join(err, failed)
		default:
			c.cached = isCached(e.Of)
			found.entries = append(found.entries, c)
		}
	}
	if _, failed := readProfile(data); failed != nil {
		return nil, noData(t, failed)
	}
	m := &meter{t: t, binary: gotest.Built(t.Session.Env, t.Package, binary), plain: plain,
		corpus: copied}
	return found, errors.Join(err, m.runAll(ctx, found))
}

// reached returns the indices of the blocks that a profile says are reached.
func (m *measured) reached(p Profile) (blocks []int) {
	for b, n := range p {
		if n == 0 {
			continue
		}
		i, ok := m.index[b]
		if !ok {
			i = len(m.blocks)
			m.index[b], m.blocks = i, append(m.blocks, b)
		}
		blocks = append(blocks, i)
	}
	return blocks
}

// runAll measures what code adds, and then each entry.
func (m *meter) runAll(ctx context.Context, found *measured) error {
	name := `seed#\d+`
	order := job.Read{Added: true, Run: true}
	if err := m.only(nil); err != nil {
		return err
	}
	code, err := m.run(ctx, name, order)
	if err != nil {
		return err
	}
	found.code = append(found.code, &measuredEntry{blocks: found.reached(code.profile)})
	for i, c := range found.entries {
		m.t.Progress(session.Progress{
			Done:   i,
			Wanted: len(found.entries),
			One:    "entry",
			Many:   "entries",
			Found:  -1,
		})
		if c.status == job.Fatal || c.status == job.Hanging {
			continue
		}
		if err := m.only(c); err != nil {
			return err
		}
		run, err := m.run(ctx, regexp.QuoteMeta(filepath.Base(c.path)), job.Read{
			Files: []string{c.path},
			Run:   true,
		})
		if err != nil {
			return err
		}
		c.blocks = found.reached(run.profile)
		switch {
		case m.plain && !run.passed:
			c.status = job.Failing
		case !run.measured:
			c.status = unmeasured
			m.t.Session.Note("%s: %s does not return within a minute, or ends the process: it stays, and "+
				"what it reaches is not known", m.t.Label, gotest.Short(filepath.Base(c.path)))
		}
	}
	return nil
}

// only leaves an entry alone in the directory that the binary reads, or nothing in it: each process
// reads all that is there before it runs what matches.
func (m *meter) only(c *measuredEntry) error {
	if m.corpus == "" {
		return nil
	}
	err := cmp.Or(os.RemoveAll(m.corpus), os.Mkdir(m.corpus, 0o777))
	if err != nil || c == nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.corpus, filepath.Base(c.path)), c.file, 0o666)
}

// A meterRun is what one process has done.
type meterRun struct {
	profile  Profile
	measured bool // it has lived to say what it reaches
	passed   bool
}

// run runs one process on the entries of an order, or, without fuzzext, on those whose names
// match.
func (m *meter) run(ctx context.Context, name string, read job.Read) (r meterRun, err error) {
	dir, err := rundir.Sub(m.t.Tmp, "entry")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	run := "^" + m.t.Name + "$"
	var vars []string
	if m.plain {
		run += "/^" + name + "$"
	} else {
		order := job.Order{Target: m.t.Name, Answer: filepath.Join(dir, "answer"), Read: &read}
		path := filepath.Join(dir, "order")
		if err := order.Write(path); err != nil {
			return r, err
		}
		vars = []string{job.Env + "=" + path}
	}
	args := append(profileFlags(dir), "-test.timeout=1m", "-test.run="+run)
	if slices.Contains(m.t.Session.Test, "-test.short=true") {
		args = append(args, "-test.short")
	}
	exit := m.binary.Run(gotest.Process{
		Args:      slices.Concat(args, m.t.Session.Args),
		Vars:      vars,
		Output:    io.Discard,
		Interrupt: ctx,
		Kill:      ctx,
	})
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	r.passed = exit.Err == nil
	r.profile, err = readProfile(dir)
	if r.measured = !errors.Is(err, ErrNone); !r.measured {
		err = nil // the process has died
	}
	return r, err
}
