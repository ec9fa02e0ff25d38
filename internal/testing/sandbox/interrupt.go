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
	"sync"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/internal/corpus"
)

// An Interruption terminates a fuzzing command at some moment and inspects what is left.
type Interruption struct {
	Sandbox *Sandbox
	Dir     string   // directory of the module to fuzz
	Env     []string // environment of the command, besides the environment of the sandbox
	Command []string // fuzzes one target on []byte, without a limit
}

// endings are the ways to terminate a command.
var endings = []struct {
	name   string
	signal func(s *Sandbox, pid int) error
}{
	{"SIGINT", func(_ *Sandbox, pid int) error { return syscall.Kill(pid, syscall.SIGINT) }},
	{"SIGKILL", func(_ *Sandbox, pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }},
	{"SIGINT to its group", func(_ *Sandbox, pid int) error {
		return syscall.Kill(-pid, syscall.SIGINT)
	}},
	{"SIGKILL to all its processes", func(s *Sandbox, _ int) error { return s.Kill() }},
}

// grace is how long processes of a command may outlive it.
const grace = time.Minute

// A Result counts the outcomes of interruptions.
type Result struct {
	Good    int // interruptions after which Run found nothing wrong
	Resumed int // runs that have printed how many entries they begin with
	Entries int // entries of the engine's cache at the end
}

// Run terminates the command n times. The seed determines the moments: a third of them
// are up to two seconds after the command starts, the others up to two seconds after it
// begins to fuzz. The error says which of these conditions did not hold:
//   - All entries of the cache and of testdata are valid and have the right names.
//   - No other file of Dir is new, changed or gone, and no temporary file is left.
//   - No process is left.
//   - The next run begins with the entries that are there.
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
			res.Resumed++
			if n, _ := strconv.Atoi(m[1]); n < res.Entries {
				err = errors.Join(err, fmt.Errorf("it resumes with %d entries of %d", n, res.Entries))
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
		errs = append(errs,
			fmt.Errorf("%d: %s, %v after %s: %w\n%s", i, ending.name, delay, since, err, out))
		// The next interruption must not be blamed for what this one left.
		if err := errors.Join(in.Sandbox.Kill(), in.Sandbox.empty()); err != nil {
			return res, errors.Join(append(errs, err)...)
		}
	}
	return res, errors.Join(errs...)
}

// end runs the command and terminates it delay after it starts or, if fuzzing is set,
// after it begins to fuzz.
func (in Interruption) end(
	signal func(*Sandbox, int) error, fuzzing bool, delay time.Duration,
) (output string, err error) {
	cmd := exec.Command(in.Command[0], in.Command[1:]...)
	cmd.Dir = in.Dir
	cmd.Env = append(in.Sandbox.Environ(), in.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out lockedBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = grace // a process that is left holds the pipe
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for fuzzing && !strings.Contains(out.String(), progress) {
		select {
		case err := <-ended:
			return out.String(), fmt.Errorf("it ended by itself: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	time.Sleep(delay)
	err = signal(in.Sandbox, cmd.Process.Pid)
	left, waiting := in.Sandbox.Wait(grace)
	err = errors.Join(err, waiting)
	for _, p := range left {
		err = errors.Join(err, fmt.Errorf("process %d is left: %s", p.PID, strings.Join(p.Args, " ")))
	}
	err = errors.Join(err, in.Sandbox.Kill())
	<-ended
	return out.String(), err
}

// A lockedBuffer can be read while it is written.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// progress is in each line by which the engine reports progress, and baseline matches the
// first of them if there are entries.
const progress = "fuzz: elapsed: "

var baseline = regexp.MustCompile(`gathering baseline coverage: 0/(\d+) completed`)

// strays returns how many entries the cache has. The error lists what should not be there.
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
		return fmt.Errorf("%s should have the name %s", path, want)
	}
	return nil
}

// snapshot returns the contents of the files in Dir by their paths relative to it.
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
