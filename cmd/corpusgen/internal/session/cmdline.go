package session

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/safefile"
)

// NewFlagSet returns the flags of the command of that name.
func NewFlagSet(name string) *flag.FlagSet {
	safefile.Force = nil
	own := flag.NewFlagSet(name, flag.ContinueOnError)
	own.SetOutput(io.Discard)
	return own
}

// DefineForce defines -f.
func DefineForce(own *flag.FlagSet) { safefile.Force = own.Bool("f", false, "") }

// Parse reads a command line into a [flag.FlagSet] or [gotest.Flags].
func Parse(flags interface{ Parse([]string) error }, args []string) error {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return ErrHelp
	case err != nil:
		if m := renamed.FindStringSubmatch(err.Error()); m != nil {
			return UsageError{m[1]}
		}
		return UsageError{withoutUnit.ReplaceAllString(err.Error(), "$1: a time has a unit, as in ${2}s")}
	}
	return nil
}

// Renamed makes the former name of a flag an error that says what it is called now.
func Renamed(own *flag.FlagSet, former, name string) {
	own.BoolFunc(former, "", func(string) error { return fmt.Errorf("-%s is now -%s", former, name) })
}

// renamed matches what package flag makes of the error of [Renamed].
var renamed = regexp.MustCompile(`^invalid boolean (?:flag|value) .*: (-\w+ is now -\w+)$`)

// withoutUnit matches what package flag says of a number where a time is wanted.
var withoutUnit = regexp.MustCompile(`^(invalid value "(\d+)" .*): parse error$`)

// compile compiles the regular expression of a flag.
func compile(name, text string) (*regexp.Regexp, error) {
	match, err := regexp.Compile(text)
	if err != nil {
		return nil, UsageError{fmt.Sprintf("-%s is not a regular expression: %v", name, err)}
	}
	return match, nil
}

// Settle changes the working directory to dir, of -C, unless that is empty. Then it reads the
// environment of the go command there, and adds GOFLAGS to flags.
func Settle(ctx context.Context, flags *gotest.Flags, dir string) (*gotest.Env, error) {
	if dir != "" {
		if err := enter(dir); err != nil {
			return nil, UsageError{err.Error()}
		}
	}
	env, err := gotest.ReadEnv(ctx)
	if err != nil {
		return nil, err
	}
	if err := flags.AddGOFLAGS(env.GOFLAGS); err != nil {
		return nil, UsageError{err.Error()}
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
