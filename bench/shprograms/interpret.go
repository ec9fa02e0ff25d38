package shprograms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/metrics"
	"sync/atomic"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

var (
	// ErrSteps is the error of [Interpret] for a program that does not end soon enough.
	ErrSteps = errors.New("too many steps")

	// ErrPanic is the error of [Interpret] for a program on which the interpreter panics.
	ErrPanic = errors.New("the interpreter panics")
)

const (
	maxSteps = 500
	maxHeap  = 512 << 20 // bytes: a few steps make a variable of any length
)

// Interpret parses a program and interprets it. Commands that are not built in fail, and so does
// all access to files. Other errors than that of the parser, ErrSteps and ErrPanic are
// the program's.
func Interpret(text string) (err error) {
	f, err := Parse(text)
	if err != nil {
		return err
	}
	r, err := interp.New(
		interp.Env(expand.ListEnviron("HOME=/", "PATH=/", "PWD=/")),
		interp.Dir("/"),
		interp.Params("--", "x", "y"),
		interp.StdIO(nil, io.Discard, io.Discard),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
			return func(context.Context, []string) error { return interp.ExitStatus(127) }
		}),
		interp.OpenHandler(func(_ context.Context, path string, _ int, _ os.FileMode) (io.ReadWriteCloser, error) {
			return nil, absent(path)
		}),
		interp.ReadDirHandler2(func(_ context.Context, path string) ([]fs.DirEntry, error) { return nil, absent(path) }),
		interp.StatHandler(func(_ context.Context, path string, _ bool) (fs.FileInfo, error) { return nil, absent(path) }),
		interp.AccessHandler(func(_ context.Context, path string, _ interp.AccessMode) error { return absent(path) }))
	if err != nil {
		return err
	}
	ctx := &steps{Context: context.Background()}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
		if ctx.n.Load() > maxSteps {
			err = ErrSteps
		}
	}()
	return r.Run(ctx, f)
}

func absent(path string) error {
	return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// steps is a context that ends with the steps of an interpreter, each of which asks for its Err.
type steps struct {
	context.Context
	n atomic.Int64
}

func (s *steps) Err() error {
	if s.n.Add(1) > maxSteps {
		return ErrSteps
	}
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() > maxHeap {
		s.n.Add(maxSteps)
		return ErrSteps
	}
	return nil
}
