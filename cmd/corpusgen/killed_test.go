//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/safefile"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/sandbox"
)

func init() {
	moreCommands["killed"] = killed
}

// sandboxes has the sandbox of each script that is in one.
var sandboxes sync.Map

// A state is what files a command could have changed: those below $WORK, and the engine's corpora.
type state map[string]file

type file struct {
	mode fs.FileMode
	data string
}

// killed [-adds] [-varies] COMMAND [ARG...] runs a command to its end, in a sandbox, and kills it
// several times from the same state: mostly just after it has changed some files, otherwise at any
// moment. Each time, these must hold:
//
//   - A file that the whole run leaves is there as it was before, or as after the whole run.
//   - What else is new is unfinished, by its name, and in no corpus.
//   - As many files have come as have gone, if the whole run replaces them.
//   - No process is left.
//   - The command, run again, ends as the whole run has ended. It leaves the same files, and none
//     of what is unfinished or temporary.
//
// -adds is for commands that add something each time, and -varies for those that write other files
// each time: these files must be well-formed. At the end, the state is as at the beginning.
func killed(ts *testscript.TestScript, neg bool, args []string) {
	k := &killer{ts: ts}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		k.adds = k.adds || args[0] == "-adds"
		k.varies = k.varies || args[0] == "-varies"
		args = args[1:]
	}
	box, ok := sandboxes.Load(ts)
	if neg || len(args) < 2 || !ok {
		ts.Fatalf("usage: sandbox, then killed [-adds] [-varies] COMMAND [ARG...]")
	}
	k.box, k.args = box.(*sandbox.Sandbox), args
	k.before = k.look()
	begun := time.Now()
	k.status = k.run(nil)
	k.span = time.Since(begun)
	k.after = k.look()
	defer k.restore()
	n, changed := long.Times(0, 1), 0
	for range n {
		k.restore()
		if k.kill(rand.IntN(3) > 0) {
			changed++
		}
	}
	ts.Logf("%s %s: killed %d times, %d of them after a change", args[0], args[1], n, changed)
}

type killer struct {
	ts            *testscript.TestScript
	box           *sandbox.Sandbox
	args          []string
	adds, varies  bool
	before, after state
	status        string // of the whole run
	span          time.Duration
}

// kill kills the command, and checks what is left. It reports whether a file has changed.
func (k *killer) kill(late bool) (changed bool) {
	ts := k.ts
	k.run(func(ctx context.Context, p *os.Process) {
		span := k.span
		if late {
			k.wait(ctx)
			span = 0
		}
		time.Sleep(time.Duration(rand.Float64() * float64(span)))
		if rand.IntN(2) == 0 {
			_ = p.Kill() // its children must end by themselves
		} else {
			ts.Check(k.box.Kill())
		}
	})
	live, err := k.box.Wait(time.Minute)
	ts.Check(err)
	if len(live) > 0 {
		ts.Fatalf("process %d is left: %s", live[0].PID, strings.Join(live[0].Args, " "))
	}
	now := k.look()
	k.check(now)
	changed = !maps.Equal(now, k.before)
	var left []string // unfinished
	for path := range now {
		if unfinished(path) { // the next run, in an hour, removes it
			then := time.Now().Add(-2 * time.Hour)
			ts.Check(os.Chtimes(k.place(path), then, then))
			left = append(left, path)
			var pid int // which its new parent, the init process, may reap late
			_, _ = fmt.Sscanf(filepath.Base(path), safefile.Prefix+"%d-", &pid)
			for end := time.Now().Add(time.Minute); pid > 0 && syscall.Kill(pid, 0) == nil &&
				time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	if status := k.run(nil); status != k.status {
		ts.Fatalf("run again, it ends with %s instead of %s", status, k.status)
	}
	now = k.look()
	k.check(now)
	for path := range now {
		if unfinished(path) && slices.Contains(left, path) {
			ts.Fatalf("it is not removed by the next run: %s", path)
		}
	}
	for path := range k.after {
		if _, there := now[path]; !there && !k.varies && !k.adds {
			ts.Fatalf("run again, it does not write %s", path)
		}
	}
	for path := range now {
		if _, known := k.after[path]; !known && !k.varies && !k.adds {
			ts.Fatalf("run again, it leaves %s", path)
		}
	}
	for _, dir := range []string{k.box.Temp(), filepath.Join(k.box.UserCache(), "espalier", "_run")} {
		left, _ := os.ReadDir(dir)
		for _, e := range left {
			if e.Name() != "lock" {
				ts.Fatalf("run again, it leaves the temporary %s", filepath.Join(dir, e.Name()))
			}
		}
	}
	return changed
}

// run runs the command and returns how it has ended. If the test kills it, kill gets its process,
// and a context that ends with it.
func (k *killer) run(kill func(context.Context, *os.Process)) (status string) {
	path, err := exec.LookPath(k.args[0])
	k.ts.Check(err)
	cmd := exec.Command(path, k.args[1:]...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Dir = k.ts.MkAbs(".")
	cmd.Env = append(os.Environ(), k.box.Vars()...)
	for _, name := range []string{"PATH", "HOME", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN",
		"GOENV", "GOWORK", "GOFLAGS", "GOGC"} {
		cmd.Env = append(cmd.Env, name+"="+k.ts.Getenv(name))
	}
	cmd.WaitDelay = time.Minute // a process that is left holds the pipe
	k.ts.Check(cmd.Start())
	ctx, end := context.WithCancel(context.Background())
	var killed sync.WaitGroup
	if kill != nil {
		killed.Go(func() { kill(ctx, cmd.Process) })
	}
	err = cmd.Wait()
	end()
	killed.Wait()
	exit := (*exec.ExitError)(nil)
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
		k.ts.Fatalf("%v\n%s", err, &out)
	}
	if err == nil {
		return "success"
	}
	return err.Error()
}

// wait waits until files have changed up to twenty times, or the context ends.
func (k *killer) wait(ctx context.Context) {
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	k.ts.Check(err)
	watch := os.NewFile(uintptr(fd), "inotify")
	defer context.AfterFunc(ctx, func() { watch.Close() })()
	defer watch.Close()
	for _, root := range k.roots() {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				_, err = syscall.InotifyAddWatch(fd, path, syscall.IN_CREATE|syscall.IN_MOVE|syscall.IN_DELETE)
			}
			return err
		})
	}
	buf := make([]byte, 4096)
	for left := rand.IntN(20); left >= 0; {
		n, err := watch.Read(buf)
		if err != nil {
			return
		}
		for at := 0; at < n; left-- { // see inotify(7)
			at += syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(buf[at+12:]))
		}
	}
}

// roots returns the directories whose files a state has.
func (k *killer) roots() []string {
	return []string{k.ts.MkAbs("."), filepath.Join(k.box.GoCache(), "fuzz")}
}

// place returns where the file of a state is.
func (k *killer) place(path string) string {
	root, rel, _ := strings.Cut(path, "/")
	return filepath.Join(k.roots()[root[0]-'0'], rel)
}

func (k *killer) look() state {
	s := state{}
	for i, root := range k.roots() {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			rel, _ := filepath.Rel(root, path)
			switch {
			case err != nil:
				return err
			case d.IsDir() && i == 0 && (rel == "home" || rel == ".tmp"):
				return fs.SkipDir
			case d.IsDir():
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			s[fmt.Sprintf("%d/%s", i, rel)] = file{info.Mode(), string(data)}
			return err
		})
		k.ts.Check(err)
	}
	return s
}

// restore makes the files those before the command.
func (k *killer) restore() {
	now := k.look()
	for path := range now {
		if k.before[path] != now[path] {
			k.ts.Check(os.Remove(k.place(path)))
			_ = os.Remove(filepath.Dir(k.place(path))) // if it is empty
		}
	}
	for path, f := range k.before {
		if now[path] != f {
			k.ts.Check(os.MkdirAll(filepath.Dir(k.place(path)), 0o777))
			k.ts.Check(os.WriteFile(k.place(path), []byte(f.data), f.mode))
		}
	}
}

func unfinished(path string) bool { return strings.HasPrefix(filepath.Base(path), safefile.Prefix) }

// check checks that no file is lost or half written.
func (k *killer) check(now state) {
	gone, come := 0, 0
	for path, f := range now {
		after, isAfter := k.after[path]
		before, isBefore := k.before[path]
		inCorpus := strings.HasPrefix(filepath.Base(filepath.Dir(path)), "Fuzz")
		switch {
		case isBefore && f == before:
		case unfinished(path) && !inCorpus:
		// figures of a campaign
		case strings.HasSuffix(path, ".html.js") && strings.HasSuffix(f.data, ")\n"):
		case isAfter && f == after:
			come++
		case (isAfter || inCorpus) && (k.varies || k.adds):
			if err := wellFormed(k.place(path), []byte(f.data)); err != nil {
				k.ts.Fatalf("%s: %v", path, err)
			}
		default:
			k.ts.Fatalf("%s is neither as before nor as after a whole run: %v %q", path, f.mode, f.data)
		}
	}
	for path := range k.before {
		_, isNow := now[path]
		_, isAfter := k.after[path]
		if isAfter && !isNow {
			k.ts.Fatalf("%s has gone", path)
		} else if !isNow {
			gone++
		}
	}
	if replaced := len(k.after) > len(k.before); replaced && gone > come {
		k.ts.Fatalf("%d files have gone, and %d have come in their place", gone, come)
	}
}

// wellFormed returns an error if a file is not what its name says.
func wellFormed(path string, data []byte) (err error) {
	switch ext := filepath.Ext(path); {
	case ext == ".json" || ext == ".sarif":
		err = json.Unmarshal(data, new(any))
	case ext == ".html" && !bytes.HasSuffix(bytes.TrimSpace(data), []byte("</html>")):
		err = errors.New("the page has no end")
	case ext == ".go":
		_, err = parser.ParseFile(token.NewFileSet(), path, data, 0)
	case strings.HasPrefix(filepath.Base(filepath.Dir(path)), "Fuzz"):
		var args []any
		if args, err = corpus.UnmarshalArgs(data); err == nil &&
			corpus.NameOf(corpus.MarshalArgs(args)) != filepath.Base(path) {
			err = errors.New("its name is of another entry")
		}
	}
	return err
}
