package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// newFlagSet returns the flags of the command of that name.
func newFlagSet(name string) *flag.FlagSet {
	own := flag.NewFlagSet(name, flag.ContinueOnError)
	own.SetOutput(io.Discard)
	return own
}

// parse reads a command line into a [flag.FlagSet] or [gotest.Flags].
func parse(flags interface{ Parse([]string) error }, args []string) error {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return errHelp
	case err != nil:
		return usageError{err.Error()}
	}
	return nil
}

// settle changes the working directory to dir, of -C, unless that is empty. Then it reads the environment
// of the go command there, and adds GOFLAGS to flags.
func settle(ctx context.Context, flags *gotest.Flags, dir string) (*gotest.Env, error) {
	if dir != "" {
		if err := enter(dir); err != nil {
			return nil, usageError{err.Error()}
		}
	}
	env, err := gotest.ReadEnv(ctx)
	if err != nil {
		return nil, err
	}
	if err := flags.AddGOFLAGS(env.GOFLAGS); err != nil {
		return nil, usageError{err.Error()}
	}
	return env, nil
}

// enter changes the working directory, and PWD for the processes that rely on it.
func enter(dir string) error {
	if err := os.Chdir(dir); err != nil {
		return fmt.Errorf("-C: %w", err)
	}
	wd, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	return os.Setenv("PWD", wd)
}
