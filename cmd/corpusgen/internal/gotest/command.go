package gotest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// grace is how long an interrupted go command has to stop what it has started. It may
// leave temporary files: give it a GOTMPDIR that somebody removes.
const grace = 3 * time.Second

// command returns a go command. When ctx ends, the go command and the processes that it
// started end.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.WaitDelay = grace
	isolate(cmd)
	return cmd
}

// Run runs a process, a go command or a test binary, to its end; started, if it is not nil, is
// called once it runs. It is a variable for the tests of corpusgen, which have recorded what
// processes answer.
var Run = func(cmd *exec.Cmd, started func()) error {
	startGuard()
	if err := cmd.Start(); err != nil {
		return err
	}
	defer guardGroup(cmd)()
	if started != nil {
		started()
	}
	return cmd.Wait()
}

// Show runs `go args` to its end. Its output goes to a writer, and its errors are shown.
func Show(ctx context.Context, out io.Writer, args ...string) error {
	cmd := command(ctx, args...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	err := Run(cmd, nil)
	if errors.Is(err, exec.ErrWaitDelay) { // what a test has left holds the pipe
		err = nil
	}
	if ctx.Err() != nil {
		reap(cmd)
		return context.Cause(ctx)
	}
	reapAfter(cmd)
	return err
}

// reapAfter kills what is left of a go command that has been killed: it has not ended its test.
func reapAfter(cmd *exec.Cmd) {
	if state := cmd.ProcessState; state != nil && !state.Exited() {
		reap(cmd)
	}
}

// output runs `go args` to its end.
func output(ctx context.Context, args ...string) (stdout, stderr []byte, err error) {
	return run(ctx, command(ctx, args...))
}

func run(ctx context.Context, cmd *exec.Cmd) (stdout, stderr []byte, err error) {
	return runWatched(ctx, cmd, nil)
}

// runWatched runs cmd to its end. Watch, if it is not nil, is called in a goroutine of its own, with
// what cmd prints and a channel that is closed when cmd has ended.
func runWatched(
	ctx context.Context, cmd *exec.Cmd,
	watch func(cmd *exec.Cmd, out *lastingBuffer, ended <-chan struct{}),
) (stdout, stderr []byte, err error) {
	var out lastingBuffer
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	ended := make(chan struct{})
	err = Run(cmd, func() {
		if watch != nil {
			go watch(cmd, &out, ended)
		}
	})
	close(ended)
	if ctx.Err() != nil {
		reap(cmd)
		return nil, nil, context.Cause(ctx)
	}
	reapAfter(cmd)
	// A process that a test has left may hold the pipes open; go itself has
	// ended, with success.
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	stdout, _ = out.now()
	return stdout, errs.Bytes(), err
}

// A lastingBuffer keeps what is written, and knows when that was last.
type lastingBuffer struct {
	mu   sync.Mutex
	text []byte
	at   time.Time
}

func (b *lastingBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text, b.at = append(b.text, p...), time.Now()
	return len(p), nil
}

// now returns what has been written, and when it was last; before that, the time is now.
func (b *lastingBuffer) now() ([]byte, time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at.IsZero() {
		return nil, time.Now()
	}
	return b.text, b.at
}
