package others

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// A Target is a fuzz target of a module that the proxy has.
type Target struct {
	Module, Version string
	Pkg             string // the directory of the package in the module
	Name            string
}

// Dir returns the directory of the package in a copy of the module.
func (t Target) Dir(module string) string {
	return filepath.Join(module, filepath.FromSlash(t.Pkg))
}

// Entries returns the directory of the target's entries in a copy of the module.
func (t Target) Entries(module string) string {
	return filepath.Join(t.Dir(module), "testdata", "fuzz", t.Name)
}

const (
	mostFuzz  = 20  // how much longer than its CPU time an engine may take by the clock
	mostStops = 300 // of an engine that fails
	mostIdle  = 3   // stops without a failure
)

// Stock and Ours are the engines.
const (
	Stock = "go test -fuzz"
	Ours  = "corpusgen fuzz"
)

// Engines are the names of the engines, in the order of a report.
var Engines = []string{Stock, Ours}

// command returns the command of an engine.
func (l *Lab) command(engine string) []string {
	if engine == Stock {
		return []string{"go", "test", "-vet=off"}
	}
	return []string{l.Corpusgen, "fuzz", "-vet=off", "-keepgoing"}
}

// A Campaign is what an engine does with a target.
type Campaign struct {
	Target
	Engine string
	// Prepare makes a copy of the module in a directory, which it replaces.
	Prepare func(ctx context.Context, dir string) error
	// Failed, unless nil, is called with each file that the engine writes for a failure within the CPU
	// time of the lab, and the CPU time up to then. It reports whether the campaign is over.
	Failed func(file string, spent time.Duration) bool
	// Memory is what each process may use, in bytes, or 0.
	Memory int64
	// Built says that an earlier campaign of the engine has compiled the same package.
	Built bool
}

// A Fuzzed is what came of a campaign.
type Fuzzed struct {
	Failures int // files that the engine has written
	Stops    int // how often the engine has ended
	CPU      time.Duration
	Kept     string // the directory of the entries that the engine has kept
	Says     string // the end of the output
}

// Fuzz fuzzes for the CPU time of the lab with one worker, from no entries but those of the module.
// What is compiled is in the build cache before. Where the engine stops at a failure, the input is
// set aside, and the engine starts again.
func (l *Lab) Fuzz(ctx context.Context, c Campaign) (f Fuzzed, err error) {
	module, cache := filepath.Join(l.Scratch, "module"), filepath.Join(l.Scratch, "cache")
	goCache, err := Output(ctx, "", "go", "env", "GOCACHE")
	if err != nil {
		return f, err
	}
	gocache := strings.TrimSpace(string(goCache))
	f.Kept = filepath.Join(gocache, "fuzz", filepath.FromSlash(path.Join(c.Module, c.Pkg)), c.Name)
	fuzz := func(limit time.Duration, watch func(time.Duration) bool, more ...string) Process {
		args := append(l.command(c.Engine), "-run=^$", "-fuzz=^"+c.Name+"$", "-parallel=1")
		cmd := WithLimits(0, c.Memory, append(args, more...)...)
		cmd.Dir = c.Dir(module)
		cmd.Env = Environment("GOCACHE="+gocache, "XDG_CACHE_HOME="+cache, "CI=")
		return Spend(ctx, limit, mostFuzz*limit, cmd, watch)
	}
	for _, compiles := range []bool{true, false} {
		if err := c.Prepare(ctx, module); err != nil {
			return f, err
		}
		for _, dir := range []string{f.Kept, cache} {
			if err := os.RemoveAll(dir); err != nil {
				return f, err
			}
		}
		if compiles && !c.Built { // what that finds does not count
			fuzz(MostBuild, nil, "-fuzztime=1x")
		}
	}
	idle := 0
	for over := false; !over && f.CPU < l.Limit && f.Stops < mostStops; f.Stops++ {
		w := newWatcher(c.Entries(module), time.Now(), f.CPU, l.Limit, c.Failed)
		done := fuzz(l.Limit-f.CPU, w.watch)
		f.CPU += done.CPU
		f.Says = done.Tail()
		over = w.end(done.CPU)
		failed, err := setAside(w.dir, filepath.Join(l.Scratch, "failures"), w.since)
		if err != nil || ctx.Err() != nil {
			return f, err
		}
		if f.Failures += failed; failed == 0 {
			idle++
		}
		if idle == mostIdle && f.CPU < l.Limit {
			return f, fmt.Errorf("it ends early: %s", f.Says)
		}
	}
	return f, nil
}

// A watcher watches for the files of failures. A goroutine of its own calls the function that looks
// at them, so that the times are right even if that takes long.
type watcher struct {
	dir           string
	since         time.Time
	before, limit time.Duration   // CPU time that the campaign had used before, and that it has in all
	seen          map[string]seen // by the name
	files         chan seen
	over, ended   chan struct{}
}

// A seen is a file that a watcher has seen.
type seen struct {
	file   string
	at     time.Duration // CPU time of the campaign when it was seen first
	passed bool          // to the goroutine
}

func newWatcher(
	dir string, since time.Time, before, limit time.Duration,
	failed func(file string, spent time.Duration) bool,
) *watcher {
	w := &watcher{dir: dir, since: since, before: before, limit: limit, seen: map[string]seen{},
		files: make(chan seen, 1000), over: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		for s := range w.files {
			if !w.isOver() && failed != nil && failed(s.file, s.at) {
				close(w.over)
			}
		}
	}()
	return w
}

func (w *watcher) isOver() bool {
	select {
	case <-w.over:
		return true
	default:
		return false
	}
}

// watch looks for new files. It passes on each when it sees it again, as it is whole by then,
// unless it came after the limit: an engine that is interrupted may continue with an input that
// hangs. It reports whether the campaign is over.
func (w *watcher) watch(spent time.Duration) bool {
	names, _ := newer(w.dir, w.since)
	for _, name := range names {
		s, known := w.seen[name]
		if !known {
			s = seen{file: filepath.Join(w.dir, name), at: w.before + spent}
		} else if !s.passed && s.at <= w.limit {
			s.passed = true
			w.files <- s
		}
		w.seen[name] = s
	}
	return w.isOver()
}

// end passes on the last files. It reports whether the campaign is over.
func (w *watcher) end(spent time.Duration) bool {
	w.watch(spent)
	w.watch(spent)
	close(w.files)
	<-w.ended
	return w.isOver()
}

// newer returns the names of the files of a directory, which need not exist, that are newer than a
// time.
func newer(dir string, since time.Time) (names []string, err error) {
	all, err := Files(dir)
	for _, name := range all {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.ModTime().After(since) && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	return names, err
}

// setAside moves the files of a directory that are newer than a time to another one.
func setAside(dir, to string, since time.Time) (moved int, err error) {
	names, err := newer(dir, since)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(to, name)); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

// Files returns the names of the files of a directory, which need not exist.
func Files(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type() != fs.ModeDir {
			names = append(names, e.Name())
		}
	}
	return names, err
}
