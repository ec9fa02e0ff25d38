package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/job"
)

// Most scripts run on canned answers. A run with -record writes down, in testdata/answers, which
// processes corpusgen starts in a script, go commands and test binaries, and what these answer:
// what they print, how they exit and which files they write. Without the flag, corpusgen starts
// no process, and gets these answers. That takes milliseconds where the go command takes
// seconds, and depends on nothing but corpusgen. A run with ESPALIER_LONG=1 uses no answers: it
// shows that these are still what processes say.

// The environment of corpusgen in scripts.
const (
	answersVar = "CORPUSGEN_ANSWERS"      // the file of answers; none without
	recordVar  = "CORPUSGEN_ANSWERS_MODE" // "record" or "replay"
)

// A recorded is a process that corpusgen starts, and its answer.
type recorded struct {
	Args  []string
	Order string `json:",omitempty"` // that the environment names
	answer
	Like int `json:",omitempty"` // the answer is that of that of the process of this number, from 1
}

// An answer is what a process does.
type answer struct {
	Stdout, Stderr string            `json:",omitempty"`
	Exit           int               `json:",omitempty"`
	Files          map[string]string `json:",omitempty"` // what it has written, by path; see encode
}

// A canned is the answers of a script.
type canned struct {
	path, state string
	record      bool
	places      [][2]string // names and paths that differ between machines, from long to short
}

// useCanned makes this process, corpusgen in a script, use canned answers, if it shall.
func useCanned() {
	path := os.Getenv(answersVar)
	if path == "" {
		return
	}
	c := &canned{path: path, record: os.Getenv(recordVar) == "record", state: filepath.Join(os.Getenv("HOME"), ".answers")}
	for _, name := range []string{"WORK", "ESPALIER_ROOT", "REAL_GOROOT", "REAL_GOMODCACHE"} {
		if path := os.Getenv(name); path != "" {
			c.places = append(c.places, [2]string{"$" + name, path})
		}
	}
	slices.SortStableFunc(c.places, func(a, b [2]string) int { return len(b[1]) - len(a[1]) })
	gotest.Run = c.run
}

// setCanned makes a script use canned answers, or record them. The end of the script fails if
// corpusgen has started another process than was recorded.
func setCanned(t *testing.T, e *testscript.Env, goroot string) error {
	name := strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")
	script := filepath.Join("testdata", "script", name+".txtar")
	archive, err := txtar.ParseFile(script)
	if err != nil {
		return err
	}
	sum := sumOfSources(archive.Files)
	path, err := filepath.Abs(answersOf(script))
	if err != nil {
		return err
	}
	mode := "replay"
	if *record {
		mode = "record"
		err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(sum+"\n"), 0o666))
	} else {
		var b []byte
		if b, err = os.ReadFile(path); err == nil && !strings.HasPrefix(string(b), sum+"\n") {
			err = fmt.Errorf("the sources in %s have changed: record their answers again, see canned_test.go", script)
		}
	}
	for name, value := range map[string]string{
		answersVar: path, recordVar: mode, "REAL_GOROOT": goroot, "REAL_GOCACHE": e.Getenv("GOCACHE"), "REAL_GOMODCACHE": e.Getenv("GOMODCACHE"),
		"GOCACHE": filepath.Join(e.WorkDir, "home", "gocache"), // has the corpora of the engine
	} {
		e.Setenv(name, value)
	}
	e.Defer(func() {
		if text, err := os.ReadFile(filepath.Join(e.WorkDir, "home", ".answers", "failed")); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	})
	return err
}

// runDir is the directory of a run of corpusgen, whose name is random.
var runDir = regexp.MustCompile(`/espalier/run/\d+-\d+`)

// overlayDir is the directory of an overlay, whose name tells what the overlay depends on.
var overlayDir = regexp.MustCompile(`/_overlay/go[^/]*`)

// mirrorDir is the directory in which corpusgen mirrors a Go installation that the go command has
// downloaded, since an overlay cannot change its files in place.
var mirrorDir = regexp.MustCompile(`\$WORK/home/cache/espalier/goroot/[^/"]+`)

// run carries out a process, or acts as if.
func (c *canned) run(cmd *exec.Cmd, started func()) error {
	x := recorded{Args: slices.Clone(cmd.Args)}
	this := runDir.FindString(strings.Join(append(cmd.Args, cmd.Env...), "\n"))
	for _, v := range cmd.Env {
		if path, ok := strings.CutPrefix(v, job.Env+"="); ok && path != "" {
			order, err := os.ReadFile(path)
			if err != nil {
				c.fail("%v", err)
			}
			x.Order = c.shorten(string(order), this)
		}
	}
	for i, arg := range x.Args {
		x.Args[i] = overlayDir.ReplaceAllString(c.shorten(arg, this), "/_overlay/$$OVERLAY")
		x.Args[i] = mirrorDir.ReplaceAllString(x.Args[i], "$$REAL_GOROOT")
	}
	n := c.next()
	if c.record {
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
	all := c.lines()
	if n >= len(all) {
		c.fail("no answer was recorded for\n%q", x.Args)
	}
	want := c.read(all[n])
	if !slices.Equal(want.Args, x.Args) || want.Order != x.Order {
		c.fail("another process was recorded:\n%q %s\nis not\n%q %s", want.Args, want.Order, x.Args, x.Order)
	}
	if want.Like > 0 {
		want.answer = c.read(all[want.Like-1]).answer
	}
	if started != nil {
		started()
	}
	return c.replay(cmd, want.answer, this)
}

// shorten puts names in place of what differs between runs. The real build cache is for go
// commands only: corpusgen takes the script's for it.
func (c *canned) shorten(text, run string) string {
	text = strings.ReplaceAll(text, os.Getenv("REAL_GOCACHE"), os.Getenv("GOCACHE"))
	if run != "" {
		text = strings.ReplaceAll(text, run, "/espalier/$RUN")
	}
	for _, p := range c.places {
		text = strings.ReplaceAll(text, p[1], p[0])
	}
	return variable.ReplaceAllString(text, "$1$2 varies")
}

// variable is what depends on the time: limits.
var variable = regexp.MustCompile(`(-(?:test\.)?timeout=)[0-9hm]*\d\.\d+s|("Until":)"2[^"]+"`)

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
	cmd.Env = append(cmd.Environ(), "GOCACHE="+os.Getenv("REAL_GOCACHE"))
	err := realRun(cmd, started)
	a.Stdout, a.Stderr = c.shorten(out.String(), this), c.shorten(errs.String(), this)
	fmt.Fprint(stdout, c.lengthen(a.Stdout, this))
	if stderr != stdout {
		fmt.Fprint(stderr, c.lengthen(a.Stderr, this))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if a.Exit = exit.ExitCode(); a.Exit < 0 {
			c.fail("%q: %v", cmd.Args, err)
		}
	} else if err != nil {
		c.fail("%q: %v", cmd.Args, err)
	}
	return err
}

// replay does what a process has done.
func (c *canned) replay(cmd *exec.Cmd, a answer, run string) error {
	for path, data := range a.Files {
		path = c.lengthen(path, run)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, c.decode(data, run), 0o777)); err != nil {
			c.fail("%v", err)
		}
	}
	fmt.Fprint(cmd.Stdout, c.lengthen(a.Stdout, run))
	if a.Stderr != "" {
		fmt.Fprint(cmd.Stderr, c.lengthen(a.Stderr, run))
	}
	if a.Exit == 0 {
		return nil
	}
	return exec.Command("sh", "-c", "exit "+strconv.Itoa(a.Exit)).Run()
}

// maxKept is how large files are that answers have. Of larger ones, test binaries, only the
// name counts.
const maxKept = 1 << 17

// encode returns the content of a file: text, or base64 behind a colon.
func (c *canned) encode(path, run string) string {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxKept {
		return ""
	}
	b, err := os.ReadFile(path)
	if err != nil {
		c.fail("%v", err)
	}
	if text := string(b); utf8.Valid(b) && !strings.HasPrefix(text, ":") {
		return c.shorten(text, run)
	}
	return ":" + base64.StdEncoding.EncodeToString(b)
}

func (c *canned) decode(data, run string) []byte {
	if code, ok := strings.CutPrefix(data, ":"); ok {
		b, err := base64.StdEncoding.DecodeString(code)
		if err != nil {
			c.fail("%v", err)
		}
		return b
	}
	return []byte(c.lengthen(data, run))
}

// tree returns a sum of each file of the script's directories.
func (c *canned) tree() map[string]string {
	sums := map[string]string{}
	err := filepath.WalkDir(os.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && filepath.Dir(path) == filepath.Dir(c.state) && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir // our own, and the go command's statistics
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
	})
	if err != nil {
		c.fail("%v", err)
	}
	return sums
}

// next counts the processes of a script, from 0.
func (c *canned) next() (n int) {
	path := filepath.Join(c.state, "next")
	text, _ := os.ReadFile(path) // there is none before the first
	n, _ = strconv.Atoi(string(text))
	if err := errors.Join(os.MkdirAll(c.state, 0o777), os.WriteFile(path, []byte(strconv.Itoa(n+1)), 0o666)); err != nil {
		c.fail("%v", err)
	}
	return n
}

// lines returns what processes have answered, one in a line. The first line of the file is a sum
// of the files of the script.
func (c *canned) lines() [][]byte {
	b, err := os.ReadFile(c.path)
	if err != nil {
		c.fail("%v", err)
	}
	return bytes.Split(bytes.TrimSpace(b), []byte("\n"))[1:]
}

// read reads the answer of a line.
func (c *canned) read(line []byte) (x recorded) {
	if err := json.Unmarshal(line, &x); err != nil {
		c.fail("%s: %v", c.path, err)
	}
	return x
}

// append adds a process to the answers.
func (c *canned) append(x recorded) {
	for i, line := range c.lines() {
		if other := c.read(line); other.Like == 0 && reflect.DeepEqual(other.answer, x.answer) {
			x.Like, x.answer = i+1, answer{}
			break
		}
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	file, failed := os.OpenFile(c.path, os.O_APPEND|os.O_WRONLY, 0)
	if err = errors.Join(err, failed); err == nil {
		_, err = file.Write(line.Bytes())
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		c.fail("%v", err)
	}
}

// fail ends corpusgen and the script, whose end reads the file.
func (c *canned) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	_ = os.WriteFile(filepath.Join(c.state, "failed"), []byte(text), 0o666)
	fmt.Fprintf(os.Stderr, "canned answers: %s\nRecord them with go test ./cmd/corpusgen -run TestScripts/NAME -record\n", text)
	os.Exit(99)
}

// sumOfSources returns a sum of what processes depend on in a script: its Go files and corpora.
func sumOfSources(files []txtar.File) string {
	sum := sha256.New()
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".go") || strings.Contains(f.Name, "testdata/") || strings.HasSuffix(f.Name, "go.mod") {
			fmt.Fprintf(sum, "%q %q\n", f.Name, f.Data)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

var realRun = gotest.Run
