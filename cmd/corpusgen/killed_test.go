//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/testing/long"
)

func init() {
	moreCommands["between"] = between
	moreCommands["killed"] = killed
}

// killed BEFORE WANT CORPUS COMMAND [ARG...] kills a command several times: at any moment, or
// soon after it has begun to change CORPUS. Each time, CORPUS is a copy of BEFORE first, and
// must be between BEFORE and WANT afterwards.
func killed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: killed BEFORE WANT CORPUS COMMAND [ARG...]")
	}
	before, dir := readFiles(ts, args[0]), ts.MkAbs(args[2])
	span := 3 * time.Second
	changed := 0
	for i := range long.Count(1, 8) {
		ts.Check(os.RemoveAll(dir))
		ts.Check(os.MkdirAll(dir, 0o777))
		for name, data := range before {
			ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666))
		}
		when := time.After(time.Duration(rand.Int64N(int64(span))))
		if i%2 == 0 {
			when = nil
		}
		if took, ended := killOne(ts, dir, args[3:], when); ended {
			span = took
		}
		sweep(ts)
		between(ts, false, args[:3])
		if !maps.Equal(readFiles(ts, args[2]), before) {
			changed++
		}
	}
	fmt.Fprintf(ts.Stdout(), "killed %d times after a change\n", changed)
}

// killOne starts a command and kills it: at a time, or, if that is nil, a moment after the
// first change in a directory. It reports whether the command has ended before.
func killOne(ts *testscript.TestScript, dir string, args []string, when <-chan time.Time) (took time.Duration, ended bool) {
	var path string
	for p := range strings.SplitSeq(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		if _, err := os.Stat(filepath.Join(p, args[0])); err == nil && path == "" {
			path = filepath.Join(p, args[0])
		}
	}
	cmd := exec.Command(path, args[1:]...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "GOENV", "GOWORK", "GOFLAGS"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	first := fileNames(dir)
	ts.Check(cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	poll := time.NewTicker(200 * time.Microsecond)
	defer poll.Stop()
	for {
		select {
		case err := <-done:
			if err != nil && !strings.Contains(err.Error(), "exit status 1") {
				ts.Fatalf("%v\n%s", err, &out)
			}
			return time.Since(begun), true
		case <-when:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-done
			return 0, false
		case <-poll.C:
			if when == nil && !slices.Equal(fileNames(dir), first) {
				when = time.After(time.Duration(rand.Int64N(int64(10 * time.Millisecond))))
			}
		}
	}
}

func fileNames(dir string) (names []string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// between BEFORE WANT CORPUS checks that CORPUS is on the way from BEFORE to WANT: each entry
// is as in one of them, those in both are there, and none that WANT replaces has gone before
// its replacement came.
func between(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: between BEFORE WANT CORPUS")
	}
	before, want, now := readFiles(ts, args[0]), readFiles(ts, args[1]), readFiles(ts, args[2])
	_, err := corpus.Read(ts.MkAbs(args[2]))
	ts.Check(err)
	replaced, gone, added, news := 0, 0, 0, 0
	for name, data := range now {
		if data != before[name] && data != want[name] {
			ts.Fatalf("%s is neither as before nor as wanted: %q", name, data)
		}
	}
	for name := range before {
		_, there := now[name]
		if _, stays := want[name]; stays && !there {
			ts.Fatalf("%s has gone", name)
		} else if !stays {
			replaced++
			if !there {
				gone++
			}
		}
	}
	for name := range want {
		if _, ok := before[name]; ok {
			continue
		}
		news++
		if _, ok := now[name]; ok {
			added++
		}
	}
	if same := max(0, replaced-news); news > 0 && gone > added+same {
		ts.Fatalf("%d entries have gone, and %d have come in their place", gone, added)
	}
}

// readFiles returns the contents of the files in a directory.
func readFiles(ts *testscript.TestScript, dir string) map[string]string {
	all := map[string]string{}
	for _, name := range fileNames(ts.MkAbs(dir)) {
		b, err := os.ReadFile(filepath.Join(ts.MkAbs(dir), name))
		ts.Check(err)
		all[name] = string(b)
	}
	return all
}

// sweep removes what a killed corpusgen leaves: unfinished and temporary files.
func sweep(ts *testscript.TestScript) {
	var left []string
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), atomicfile.Prefix) || filepath.Base(filepath.Dir(path)) == ".tmp" {
			left = append(left, path)
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		return err
	}))
	for _, path := range left {
		ts.Check(os.RemoveAll(path))
	}
	fmt.Fprintln(ts.Stdout(), strconv.Itoa(len(left))+" left behind")
}
