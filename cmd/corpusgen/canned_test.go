package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

// Most scripts run on canned answers. A run with -record writes down, in testdata/answers, which
// processes corpusgen starts in a script, go commands and test binaries, and what these answer:
// what they print, how they exit and which files they write. Without the flag, corpusgen starts
// no process, gets these answers, and runs in the process of the test. That takes milliseconds
// where the go command takes seconds, and depends on nothing but corpusgen. With
// ESPALIER_LONG=1, scripts of each kind run without answers, too; with the flag -all, all of them.
// That shows that the answers are still what processes say.

// A recorded is a process that corpusgen starts, and its answer.
type recorded struct {
	Args  []string
	Order string `json:",omitempty"` // that the environment names
	answer
	Like int `json:",omitempty"` // the answer is the one of the process of this number, from 1
}

// An answer is what a process does.
type answer struct {
	Stdout, Stderr string            `json:",omitempty"`
	Exit           int               `json:",omitempty"`
	Files          map[string]string `json:",omitempty"` // what it has written, by path; see encode
}

// A canned is the answers of a script.
type canned struct {
	work    string      // directory of the script
	names   []string    // of the environment of the script
	lines   [][]byte    // what processes have answered, one in a line
	next    int         // how many have been started
	failure string      // of an answer; "" for none
	places  [][2]string // names and paths that differ between machines, from long to short
	goCache string      // for go commands: the cache of the script has the corpora of the engine
}

// cannedKey is the key of the canned among the values of a script.
type cannedKey struct{}

// assigned are the variables that a script sets.
var assigned = regexp.MustCompile(`(?m)\benv (\w+)=`)

// setCanned makes a script use canned answers, or record them.
func setCanned(t *testing.T, e *testscript.Env, goroot string) error {
	name := strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")
	path := answersOf(name)
	script, err := os.ReadFile(scriptOf(name))
	if err != nil {
		return err
	}
	sum := []byte(sumOfSources(txtar.Parse(script).Files))
	c := &canned{work: e.WorkDir, goCache: e.Getenv("GOCACHE")}
	e.Setenv("GOCACHE", filepath.Join(e.WorkDir, "home", "gocache"))
	e.Values[cannedKey{}] = c
	for _, v := range e.Vars {
		name, _, _ := strings.Cut(v, "=")
		c.names = append(c.names, name)
	}
	for _, m := range assigned.FindAllSubmatch(script, -1) {
		c.names = append(c.names, string(m[1]))
	}
	for _, p := range [][2]string{{"$WORK", e.WorkDir},
		{"$ESPALIER_ROOT", e.Getenv("ESPALIER_ROOT")}, {"$REAL_GOROOT", goroot},
		{"$REAL_GOMODCACHE", e.Getenv("GOMODCACHE")}} {
		if p[1] != "" {
			c.places = append(c.places, p)
		}
	}
	slices.SortStableFunc(c.places, func(a, b [2]string) int { return len(b[1]) - len(a[1]) })
	if *record {
		e.Defer(func() {
			all := slices.Concat([][]byte{sum}, c.lines, [][]byte{nil})
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, bytes.Join(all, []byte("\n")), 0o666))
		})
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	all := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	if c.lines = all[1:]; !bytes.Equal(all[0], sum) {
		return fmt.Errorf("the sources in %s.txtar have changed: record their answers again, "+
			"see canned_test.go", name)
	}
	return nil
}

// oneAtATime is locked while corpusgen runs in this process, whose environment, working directory
// and standard output then belong to a script.
var oneAtATime sync.Mutex

// corpusgen runs corpusgen in this process, and returns its exit status.
func (c *canned) corpusgen(ts *testscript.TestScript, args []string) (status int) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	wd, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	environ, run, stdout, stderr := os.Environ(), gotest.Run, os.Stdout, os.Stderr
	os.Clearenv()
	for _, name := range c.names {
		ts.Check(os.Setenv(name, ts.Getenv(name)))
	}
	var printed sync.WaitGroup
	gotest.Run = c.run
	os.Stdout = pipeTo(ts, ts.Stdout(), &printed)
	os.Stderr = pipeTo(ts, ts.Stderr(), &printed)
	defer func() {
		ts.Check(errors.Join(os.Stdout.Close(), os.Stderr.Close()))
		printed.Wait()
		gotest.Run, os.Stdout, os.Stderr = run, stdout, stderr
		os.Clearenv()
		for _, v := range environ {
			name, value, _ := strings.Cut(v, "=")
			ts.Check(os.Setenv(name, value))
		}
		ts.Check(os.Chdir(wd))
		if c.failure != "" {
			ts.Fatalf("canned answers: %s\nRecord them with go test ./cmd/corpusgen -run "+
				"TestScripts/NAME -record", c.failure)
		}
	}()
	return dispatch(context.Background(), args)
}

// pipeTo returns a file from which another goroutine copies to w, until the file is closed.
func pipeTo(ts *testscript.TestScript, w io.Writer, copied *sync.WaitGroup) *os.File {
	r, file, err := os.Pipe()
	ts.Check(err)
	copied.Go(func() {
		_, _ = io.Copy(w, r) // a strings.Builder takes all
		r.Close()
	})
	return file
}

// runDir is the directory of a run of corpusgen, whose name is random.
var runDir = regexp.MustCompile(`/espalier/_run/\d+-\d+`)

// overlayDir is the directory of an overlay, whose name tells what the overlay depends on.
var overlayDir = regexp.MustCompile(`/_overlay/go[^/]*`)

// mirrorDir is the directory in which corpusgen mirrors a Go installation that the go command has
// downloaded, since an overlay cannot change its files in place.
var mirrorDir = regexp.MustCompile(`\$WORK/home/cache/espalier/goroot/[^/"]+`)

// run carries out a process, or acts as if.
func (c *canned) run(cmd *exec.Cmd, started func()) (err error) {
	defer func() {
		if f, ok := recover().(failure); ok {
			err = errors.New(string(f))
			c.failure = cmp.Or(c.failure, string(f))
		}
	}()
	x := recorded{Args: slices.Clone(cmd.Args)}
	this := runDir.FindString(strings.Join(append(cmd.Args, cmd.Env...), "\n"))
	for _, v := range cmd.Env {
		if path, ok := strings.CutPrefix(v, job.Env+"="); ok && path != "" {
			order, err := os.ReadFile(path)
			must(err)
			x.Order = c.shorten(string(order), this)
		}
	}
	for i, arg := range x.Args {
		x.Args[i] = overlayDir.ReplaceAllString(c.shorten(arg, this), "/_overlay/$$OVERLAY")
		x.Args[i] = mirrorDir.ReplaceAllString(x.Args[i], "$$REAL_GOROOT")
	}
	if *record {
		before := c.tree()
		err := c.observe(cmd, started, &x.answer)
		for path, sum := range c.tree() {
			if before[path] != sum {
				if x.Files == nil {
					x.Files = map[string]string{}
				}
				x.Files[c.shorten(path, this)] = c.encode(path, this)
			}
		}
		c.append(x)
		return err
	}
	if c.next == len(c.lines) {
		panic(failure(fmt.Sprintf("no answer was recorded for\n%q", x.Args)))
	}
	want := readRecorded(c.lines[c.next])
	c.next++
	if !slices.Equal(want.Args, x.Args) || want.Order != x.Order {
		panic(
			failure(fmt.Sprintf("another process was recorded:\n%q %s\nis not\n%q %s", want.Args,
				want.Order, x.Args, x.Order)))
	}
	if want.Like > 0 {
		want.answer = readRecorded(c.lines[want.Like-1]).answer
	}
	if started != nil {
		started()
	}
	return c.replay(cmd, want.answer, this)
}

// A failure says why a process has no answer.
type failure string

func must(err error) {
	if err != nil {
		panic(failure(err.Error()))
	}
}

// shorten puts names in place of what differs between runs. The real build cache is for go
// commands only: corpusgen takes the script's for it.
func (c *canned) shorten(text, run string) string {
	text = strings.ReplaceAll(text, c.goCache, os.Getenv("GOCACHE"))
	if run != "" {
		text = strings.ReplaceAll(text, run, "/espalier/$RUN")
	}
	for _, p := range c.places {
		text = strings.ReplaceAll(text, p[1], p[0])
	}
	return variable.ReplaceAllString(text, "$1 varies")
}

// variable is what depends on the time: limits.
var variable = regexp.MustCompile(`(-(?:test\.)?timeout=)[0-9hm]*\d\.\d+s`)

// lengthen reverts shorten.
func (c *canned) lengthen(text, run string) string {
	text = strings.ReplaceAll(text, "/espalier/$RUN", run)
	for _, p := range slices.Backward(c.places) {
		text = strings.ReplaceAll(text, p[0], p[1])
	}
	return text
}

// observe runs a process and keeps what it prints.
func (c *canned) observe(cmd *exec.Cmd, started func(), a *answer) error {
	var out, errs bytes.Buffer
	this := runDir.FindString(strings.Join(append(cmd.Args, cmd.Env...), "\n"))
	stdout, stderr := cmd.Stdout, cmd.Stderr
	cmd.Stdout = &out
	if cmd.Stderr = &errs; stderr == stdout {
		cmd.Stderr = &out
	}
	cmd.Env = append(cmd.Environ(), "GOCACHE="+c.goCache)
	err := realRun(cmd, started)
	a.Stdout, a.Stderr = c.shorten(out.String(), this), c.shorten(errs.String(), this)
	fmt.Fprint(stdout, c.lengthen(a.Stdout, this))
	if stderr != stdout {
		fmt.Fprint(stderr, c.lengthen(a.Stderr, this))
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		a.Exit = exit.ExitCode()
	}
	if err != nil && a.Exit <= 0 {
		panic(failure(fmt.Sprintf("%q: %v", cmd.Args, err)))
	}
	return err
}

// replay does what a process has done.
func (c *canned) replay(cmd *exec.Cmd, a answer, run string) error {
	for path, data := range a.Files {
		path = c.lengthen(path, run)
		must(errors.Join(os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, c.decode(data, run), 0o777)))
	}
	fmt.Fprint(cmd.Stdout, c.lengthen(a.Stdout, run))
	if a.Stderr != "" {
		fmt.Fprint(cmd.Stderr, c.lengthen(a.Stderr, run))
	}
	if a.Exit == 0 {
		return nil
	}
	return exec.Command(sh, "-c", "exit "+strconv.Itoa(a.Exit)).Run()
}

// sh is found before a script changes the environment.
var sh, _ = exec.LookPath("sh")

// maxKept is how large files are that answers have. Of larger ones, test binaries, only the
// name counts.
const maxKept = 1 << 17

// encode returns the content of a file: text, or base64 after a colon.
func (c *canned) encode(path, run string) string {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxKept {
		return ""
	}
	b, err := os.ReadFile(path)
	must(err)
	if text := string(b); utf8.Valid(b) && !strings.HasPrefix(text, ":") {
		return c.shorten(text, run)
	}
	return ":" + base64.StdEncoding.EncodeToString(b)
}

func (c *canned) decode(data, run string) []byte {
	if code, ok := strings.CutPrefix(data, ":"); ok {
		b, err := base64.StdEncoding.DecodeString(code)
		must(err)
		return b
	}
	return []byte(c.lengthen(data, run))
}

// tree returns a sum of each file of the script's directories.
func (c *canned) tree() map[string]string {
	sums := map[string]string{}
	must(filepath.WalkDir(c.work, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && filepath.Dir(path) == filepath.Join(c.work, "home") &&
			strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir // the go command's statistics
		}
		if err != nil || !d.Type().IsRegular() {
			return nil // it is gone already
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		sums[path] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		return nil
	}))
	return sums
}

// readRecorded reads the process of a line.
func readRecorded(line []byte) (x recorded) {
	must(json.Unmarshal(line, &x))
	return x
}

// append adds a process to the answers.
func (c *canned) append(x recorded) {
	for i, line := range c.lines {
		if other := readRecorded(line); other.Like == 0 && reflect.DeepEqual(other.answer, x.answer) {
			x.Like, x.answer = i+1, answer{}
			break
		}
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	must(e.Encode(x))
	c.lines = append(c.lines, bytes.TrimSpace(line.Bytes()))
}

// sumOfSources returns a sum of what processes depend on in a script: its Go files and corpora.
func sumOfSources(files []txtar.File) string {
	sum := sha256.New()
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".go") || strings.Contains(f.Name, "testdata/") ||
			strings.HasSuffix(f.Name, "go.mod") {
			fmt.Fprintf(sum, "%q %q\n", f.Name, f.Data)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

var realRun = gotest.Run
