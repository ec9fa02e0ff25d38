//go:build unix

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/internal/corpus"
)

// An Interruption ends a command that fuzzes, at some moment, and looks at what is left.
type Interruption struct {
	Sandbox *Sandbox
	Dir     string   // of the module that is fuzzed
	Env     []string // of the command, besides that of the sandbox
	Command []string // fuzzes one target on []byte, endlessly
}

// endings are the ways in which a command ends.
var endings = []struct {
	name   string
	signal func(s *Sandbox, pid int) error
}{
	{"SIGINT", func(_ *Sandbox, pid int) error { return syscall.Kill(pid, syscall.SIGINT) }},
	{"SIGKILL", func(_ *Sandbox, pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }},
	{"SIGINT to its group", func(_ *Sandbox, pid int) error { return syscall.Kill(-pid, syscall.SIGINT) }},
	{"SIGKILL to all its processes", func(s *Sandbox, _ int) error { return s.Kill() }},
}

// grace is how long what a command has started may go on without it.
const grace = time.Minute

// A Result says what came of interruptions.
type Result struct {
	Good    int // interruptions after which all was as it should be
	WentOn  int // runs that have said with how many entries they begin
	Entries int // in the engine's cache, in the end
}

// Run ends the command n times, at moments that the seed determines, a third of them up to
// two seconds after its start, the others as long after it has begun to fuzz. The error tells what was not as it should be, namely that
//   - all entries of the cache and of testdata are valid, and under their names;
//   - no other file of Dir is new, changed or gone, and no temporary file is left;
//   - no process goes on;
//   - the next run begins with the entries that are there.
func (in Interruption) Run(n int, seed uint64) (res Result, err error) {
	before, err := in.snapshot()
	if err != nil {
		return res, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var errs []error
	for i := range n {
		ending := endings[i%len(endings)]
		fuzzing, delay := i%3 != 0, time.Duration(r.Int64N(int64(2*time.Second)))
		out, err := in.end(ending.signal, fuzzing, delay)
		if m := baseline.FindStringSubmatch(out); m != nil {
			res.WentOn++
			if n, _ := strconv.Atoi(m[1]); n < res.Entries {
				err = errors.Join(err, fmt.Errorf("it goes on with %d entries of %d", n, res.Entries))
			}
		}
		var strays error
		res.Entries, strays = in.strays(before)
		if err = errors.Join(err, strays); err == nil {
			res.Good++
			continue
		}
		since := "the start"
		if fuzzing {
			since = "the start of fuzzing"
		}
		errs = append(errs, fmt.Errorf("%d: %s, %v after %s: %w\n%s", i, ending.name, delay, since, err, out))
		// What is left of this one is not to be held against the next.
		if err := errors.Join(in.Sandbox.Kill(), in.Sandbox.empty()); err != nil {
			return res, errors.Join(append(errs, err)...)
		}
	}
	return res, errors.Join(errs...)
}

// end runs the command and ends it, delay after its start or that of fuzzing.
func (in Interruption) end(signal func(*Sandbox, int) error, fuzzing bool, delay time.Duration) (output string, err error) {
	cmd := exec.Command(in.Command[0], in.Command[1:]...)
	cmd.Dir = in.Dir
	cmd.Env = append(in.Sandbox.Environ(), in.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = grace // a process that goes on has the pipe
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for fuzzing {
		select {
		case err := <-ended:
			return out.String(), fmt.Errorf("it ended by itself: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
		all, err := in.Sandbox.Processes()
		if err != nil {
			return "", err
		}
		for _, p := range all {
			fuzzing = fuzzing && !p.Fuzzes()
		}
	}
	time.Sleep(delay)
	err = signal(in.Sandbox, cmd.Process.Pid)
	left, waiting := in.Sandbox.Wait(grace)
	err = errors.Join(err, waiting)
	for _, p := range left {
		err = errors.Join(err, fmt.Errorf("process %d goes on: %s", p.PID, strings.Join(p.Args, " ")))
	}
	err = errors.Join(err, in.Sandbox.Kill())
	<-ended
	return out.String(), err
}

var baseline = regexp.MustCompile(`gathering baseline coverage: 0/(\d+) completed`)

// strays returns how many entries the cache has, and what should not be there.
func (in Interruption) strays(before map[string]string) (kept int, err error) {
	var invalid error
	if _, err = os.Stat(in.corpora()); err == nil {
		err = filepath.WalkDir(in.corpora(), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			kept++
			invalid = errors.Join(invalid, validEntry(path))
			return nil
		})
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	err = errors.Join(err, invalid)
	temps, tempErr := os.ReadDir(in.Sandbox.Temp())
	err = errors.Join(err, tempErr)
	for _, f := range temps {
		err = errors.Join(err, fmt.Errorf("left behind: %s", filepath.Join(in.Sandbox.Temp(), f.Name())))
	}
	after, snapErr := in.snapshot()
	err = errors.Join(err, snapErr)
	for path, text := range before {
		if after[path] != text {
			err = errors.Join(err, fmt.Errorf("changed or gone: %s", path))
		}
	}
	for path := range after {
		if _, old := before[path]; old {
			continue
		}
		if ok, _ := filepath.Match("*/testdata/fuzz/Fuzz*/*", path); ok {
			err = errors.Join(err, validEntry(filepath.Join(in.Dir, path)))
		} else {
			err = errors.Join(err, fmt.Errorf("left behind: %s", path))
		}
	}
	return kept, err
}

func (in Interruption) corpora() string { return filepath.Join(in.Sandbox.GoCache(), "fuzz") }

func validEntry(path string) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data, err := corpus.Unmarshal(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if want := corpus.Name(data); filepath.Base(path) != want {
		return fmt.Errorf("%s has what should be in %s", path, want)
	}
	return nil
}

// snapshot returns the texts of the files in Dir, by their paths there.
func (in Interruption) snapshot() (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(in.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		path, err = filepath.Rel(in.Dir, path)
		files[path] = string(text)
		return err
	})
	return files, err
}

// empty removes all temporary files.
func (s *Sandbox) empty() error {
	return errors.Join(os.RemoveAll(s.Temp()), os.MkdirAll(s.Temp(), 0o777))
}
