package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/shell"
)

var _ = register(&command{
	name:    "overlay",
	summary: "write out the engine that fuzz uses, to read it or for go test",
	usage: `usage: corpusgen overlay -o dir

Overlay writes the overlay of Go's fuzzing engine that corpusgen fuzz uses in
the current directory: changed copies of sources of the package internal/fuzz,
files that are added to it, and overlay.json, which lists them for the go
command (see go help build, -overlay). It prints the path of that file, and a
command that fuzzes with the overlay but without corpusgen.

The overlay works only with the Go installation of the current directory. If
that is in the module cache, where the go command allows no overlay, the printed
command uses a directory of links to it instead.

The overlay does not do all that corpusgen fuzz does: it neither restricts
coverage to the main module's packages, nor fuzzes several targets, continues
after a failure or prints a summary.

The flags are:

	-o dir
		write to dir. It must not exist, be empty, or hold an overlay
		that corpusgen overlay has written. Overlay replaces that one,
		unless any of its files has been changed

If a part of the overlay does not fit the engine of the Go installation, overlay
leaves it out and prints a warning. The exit status is 0 if the overlay is
written, 1 if not and 2 if the command line is wrong.
`,
	run: runOverlay,
})

func runOverlay(ctx context.Context, args []string) error {
	own := session.NewFlagSet("overlay")
	to := own.String("o", "", "")
	if err := session.Parse(own, args); err != nil {
		return err
	}
	switch {
	case own.NArg() > 0:
		return session.UsageError{Msg: fmt.Sprintf("unexpected argument %s: the only one is -o dir", own.Arg(0))}
	case *to == "":
		return session.UsageError{Msg: "-o: name the directory to write to"}
	}
	flags := &gotest.Flags{Own: own}
	env, err := session.Settle(ctx, flags, "")
	if err != nil {
		return err
	}
	cache, dir, err := session.TempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	installed := env.GOROOT
	o, err := session.Overlay(ctx, env, cache, dir.Path)
	if err != nil {
		return err
	}
	file, err := o.Write(*to)
	if err != nil {
		return err
	}
	for _, missing := range o.Missing {
		session.Complain("%s", missing)
	}
	if other, ok := flags.Lookup("overlay"); ok {
		session.Complain("the command below replaces GOFLAGS=-overlay=%s: the go command takes only one overlay", other)
	}

	command := []string{"go"}
	if env.GOROOT != installed {
		command = []string{"GOROOT=" + env.GOROOT, "GOTOOLCHAIN=local", filepath.Join(env.GOROOT, "bin", "go"+env.GOEXE)}
	}
	command = append(command, "test", "-overlay="+file)
	command = append(command, flags.BuildFlags(session.LinkTag)...)
	command = append(command, "-fuzz=.")
	fmt.Printf("%s\n\nThis overlay is for %s in %s only. To fuzz the target of a package with it:\n\n\t%s\n",
		file, env.GOVERSION, installed, shell.Command(command...))
	return nil
}
