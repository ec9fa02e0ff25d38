package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/shell"
)

var overlayCommand = &command{
	name:    "overlay",
	summary: "write out the engine that fuzz uses, to read it or for go test",
	usage: `usage: corpusgen overlay -o dir

Overlay writes the overlay of Go's fuzzing engine that corpusgen fuzz would use
in the current directory: changed copies of sources of the package
internal/fuzz, files that are added to it, and overlay.json, which tells the go
command of them (see go help build, -overlay). It prints the path of that file,
and a command that fuzzes with it, without corpusgen.

The overlay is for the Go installation that the current directory uses, and of
no use with another one. If that is in the module cache, where the go command
lets nobody replace a file, the overlay is for a directory of links to it, which
the command that is printed uses.

What corpusgen fuzz does besides is not part of the overlay: following the
coverage of the main module's packages alone, fuzzing many targets, going on
after a failure, and the summary.

The flags are:

	-o dir
		write to dir, which must not exist, be empty, or hold an overlay
		that corpusgen overlay has written; that is replaced, unless
		any of its files has been changed

What the engine of the Go installation has no place for is left out of the
overlay, with a warning. The status is 0 if the overlay is written, 1 if not and
2 if the command line is wrong.
`,
	run: runOverlay,
}

func runOverlay(ctx context.Context, args []string) error {
	own := flag.NewFlagSet("overlay", flag.ContinueOnError)
	own.SetOutput(io.Discard)
	to := own.String("o", "", "")
	if err := own.Parse(args); errors.Is(err, flag.ErrHelp) {
		return errHelp
	} else if err != nil {
		return usageError{err.Error()}
	}
	switch {
	case own.NArg() > 0:
		return usageError{fmt.Sprintf("argument %s: there is nothing to name but -o dir", own.Arg(0))}
	case *to == "":
		return usageError{"-o: name the directory to write to"}
	}
	env, err := gotest.ReadEnv(ctx)
	if err != nil {
		return err
	}
	flags := &gotest.Flags{Own: own}
	if err := flags.AddGOFLAGS(env.GOFLAGS); err != nil {
		return usageError{err.Error()}
	}
	cache, dir, err := tempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	installed := env.GOROOT
	o, err := newOverlay(ctx, env, cache, dir.Path)
	if err != nil {
		return err
	}
	file, err := o.Write(*to)
	if err != nil {
		return err
	}
	for _, missing := range o.Missing {
		complain("%s", missing)
	}
	if other, ok := flags.Lookup("overlay"); ok {
		complain("GOFLAGS=-overlay=%s is not part of this overlay, and the go command takes only one", other)
	}

	command := []string{"go"}
	if env.GOROOT != installed {
		command = []string{"GOROOT=" + env.GOROOT, "GOTOOLCHAIN=local", filepath.Join(env.GOROOT, "bin", "go"+env.GOEXE)}
	}
	command = append(command, "test", "-overlay="+file)
	command = append(command, flags.BuildFlags(linkTag)...)
	command = append(command, "-fuzz=.")
	fmt.Printf("%s\n\nThis overlay is for %s in %s only. To fuzz the target of a package with it:\n\n\t%s\n",
		file, env.GOVERSION, installed, shell.Command(command...))
	return nil
}
