//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
	moreCommands["hostile"] = hostile
	moreCommands["killed"] = killed
}

// malformed are files that are no corpus entries.
var malformed = map[string]string{
	"empty":           "",
	"newline":         "\n",
	"header":          "go test fuzz v1",
	"header only":     "go test fuzz v1\n",
	"later version":   "go test fuzz v2\n[]byte(\"x\")\n",
	"lower":           "GO TEST FUZZ V1\n[]byte(\"x\")\n",
	"bom":             "\ufeffgo test fuzz v1\n[]byte(\"x\")\n",
	"utf16":           "g\x00o\x00 \x00t\x00e\x00s\x00t\x00",
	"string":          "go test fuzz v1\nstring(\"x\")\n",
	"two":             "go test fuzz v1\n[]byte(\"x\")\n[]byte(\"y\")\n",
	"open":            "go test fuzz v1\n[]byte(\"x",
	"expression":      "go test fuzz v1\n[]byte(\"a\"+\"b\")\n",
	"make":            "go test fuzz v1\nmake([]byte, 1<<30)\n",
	"claim":           "go test fuzz v1\n[1073741824]byte{}\n",
	"parentheses":     "go test fuzz v1\n" + strings.Repeat("(", 100_000) + "\n",
	"nested":          "go test fuzz v1\n" + strings.Repeat("[]byte(", 50_000) + "\n",
	"nul":             "go test fuzz v1\n\x00\n",
	"$(touch pwned)":  "$(touch pwned)",
	"-fuzz":           "-fuzz",
	"%s%n":            "%s%n%d",
	"new\nline":       "x",
	"\x1b[31mred":     "\x1b[31mred",
	"..hidden":        "..",
	"\xff\xfe":        "\xff",
	"name.zip.tar":    "PK\x03\x04",
	"binary":          "\x7fELF\x00\x01\x02",
	"braces":          "{" + strings.Repeat("[", 100_000),
	"number":          "1e999999999",
	"a very long one": strings.Repeat("x", 1<<20),
}

// wild are entries whose bytes no generator has written.
var wild = map[string]string{
	"claims":  strings.Repeat("\xff", 64),
	"deep":    strings.Repeat("\xb8\x51", 50_000),
	"records": strings.Repeat("\x80\x4a", 1000),
	"nothing": "",
}

// hostile DIR makes files in DIR on which a program could fail. `hostile DIR KIND` makes one:
// a pipe, a link that is broken, a link to itself, or a file of 1 GB.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: hostile DIR [pipe|broken|loop|large]")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	if len(args) == 1 {
		for name, text := range malformed {
			ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		for name, data := range wild {
			ts.Check(os.WriteFile(filepath.Join(dir, name), corpus.Marshal([]byte(data)), 0o666))
		}
		ts.Check(os.Mkdir(filepath.Join(dir, "0123456789abcdef"), 0o777))
		return
	}
	path := filepath.Join(dir, args[1])
	switch args[1] {
	case "pipe":
		ts.Check(syscall.Mkfifo(path, 0o666))
	case "broken":
		ts.Check(os.Symlink("/nowhere/../etc", path))
	case "loop":
		ts.Check(os.Symlink(args[1], path))
	case "large":
		ts.Check(os.WriteFile(path, nil, 0o666))
		ts.Check(os.Truncate(path, 1<<30))
	}
}

// killed CORPUS COMMAND [ARG...] kills a command at random moments. Whenever it does, all
// entries in CORPUS must be whole.
func killed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: killed CORPUS COMMAND [ARG...]")
	}
	dir := ts.MkAbs(args[0])
	var path string
	for p := range strings.SplitSeq(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		if _, err := os.Stat(filepath.Join(p, args[1])); err == nil && path == "" {
			path = filepath.Join(p, args[1])
		}
	}
	span := 3 * time.Second
	for range long.Count(3, 50) {
		cmd := exec.Command(path, args[2:]...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.Dir = ts.MkAbs(".")
		for _, name := range []string{"PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "GOENV", "GOWORK", "GOFLAGS"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		begun := time.Now()
		ts.Check(cmd.Start())
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		when := time.Duration(rand.Int64N(int64(span)))
		select {
		case err := <-done:
			if err != nil && !strings.Contains(err.Error(), "exit status 1") {
				ts.Fatalf("%v\n%s", err, &out)
			}
			span = time.Since(begun)
		case <-time.After(when):
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-done
		}
		_, err := corpus.Read(dir)
		ts.Check(err)
		sweep(ts)
	}
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
