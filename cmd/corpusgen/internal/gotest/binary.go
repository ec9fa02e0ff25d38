package gotest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
)

// A Binary is the test binary of a package.
type Binary struct {
	Path    string // of the file, absolute
	Package Package
	env     *Env
}

// A BuildError holds the output of the go command for a package that it cannot build.
type BuildError struct{ Output string }

func (e *BuildError) Error() string { return e.Output }

// Build builds the test binary of pkg at path, by `go test -c` with flags, such as -fuzz=.
// for fuzzing, and with vars added to the environment. It also returns what the go command
// prints, such as warnings. The error is a [*BuildError] if the package does not build.
func Build(
	ctx context.Context, env *Env, pkg Package, path string, flags []string, vars ...string,
) (*Binary, string, error) {
	b := Built(env, pkg, path)
	args := append([]string{"test", "-c", "-o", b.Path}, flags...)
	cmd := command(ctx, append(args, pkg.Path)...)
	cmd.Env = append(cmd.Environ(), vars...)
	stdout, stderr, err := run(ctx, cmd)
	text := string(stderr) + string(stdout)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, "", &BuildError{strings.TrimRight(text, "\n")}
	} else if err != nil {
		return nil, "", err
	}
	if _, err := os.Stat(b.Path); err != nil {
		return nil, "", fmt.Errorf("go test -c made no test binary: %w", err)
	}
	return b, text, nil
}

// Built returns the test binary of pkg at path, which go test has left there.
func Built(env *Env, pkg Package, path string) *Binary {
	return &Binary{Path: path, Package: pkg, env: env}
}

// A Process is one run of a [Binary].
type Process struct {
	Args   []string // of the test binary, in the form -test.run=X
	Vars   []string // added to the environment
	Output io.Writer
	Begun  func(pid int) // is called once the process runs; or nil
	// Dirs, if it is not nil, are the directories in which the process may change files, on a
	// system that can confine it.
	Dirs []string
	// Interrupt ends the run in an orderly way, as the interrupt key does: the engine saves
	// what it has found. Kill ends it at once.
	Interrupt, Kill context.Context
}

// An Exit is how a run of a test binary ended.
type Exit struct {
	Err error // nil for success; an *exec.ExitError if the binary ran
	// CPU is the time of the process and of those that it has waited for. It is 0, for unknown, if
	// the process was killed, before it could wait for the engine's workers.
	CPU  time.Duration
	Wall time.Duration
	// Memory is the most that the process has had in use, in bytes; 0 for unknown.
	Memory int64
}

// patience is how long an interrupted test binary has to end.
const patience = 20 * time.Second

// Run runs b as `go test` would, in the directory of its package and with its environment.
// The process does not outlive this one, if the operating system can ensure that.
func (b *Binary) Run(p Process) Exit {
	cmd := exec.CommandContext(p.Interrupt, b.Path,
		append([]string{"-test.paniconexit0"}, p.Args...)...)
	cmd.Dir = b.Package.Dir
	cmd.Env = append(cmd.Environ(),
		"PATH="+filepath.Join(b.env.GOROOT, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, p.Vars...)
	cmd.Stdout, cmd.Stderr = p.Output, p.Output
	cmd.WaitDelay = patience
	isolate(cmd)
	interruptAlone(cmd)

	start := time.Now()
	stop := func() bool { return true }
	run := func() error {
		return Run(cmd, func() {
			stop = context.AfterFunc(p.Kill, func() { killGroup(cmd) })
			if p.Begun != nil {
				p.Begun(cmd.Process.Pid)
			}
		})
	}
	var err error
	if p.Dirs != nil && confine.Check() == nil {
		err = confine.Do(p.Dirs, run)
	} else {
		err = run()
	}
	stop()
	if cmd.ProcessState != nil && cmd.ProcessState.Success() {
		err = nil // despite an interrupt, or something that still has the output open
	}
	if p.Interrupt.Err() != nil {
		reap(cmd)
	}
	e := Exit{Err: err, Wall: time.Since(start)}
	if s := cmd.ProcessState; s != nil && s.Exited() && p.Kill.Err() == nil {
		e.CPU = s.UserTime() + s.SystemTime()
		e.Memory = memory(s)
	}
	return e
}

// FuzzCache is where the engine keeps the entries that it finds for the targets of pkg: the value
// of -test.fuzzcachedir that `go test` gives to the test binary.
func FuzzCache(env *Env, pkg Package) string {
	return filepath.Join(env.GOCACHE, "fuzz", filepath.FromSlash(pkg.Path))
}
