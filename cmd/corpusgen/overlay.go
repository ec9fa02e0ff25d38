package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/shell"
)

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
	o, err := session.Overlay(ctx, env, cache)
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
	session.Print(os.Stdout, fmt.Sprintf("%s\n\nThis overlay is for %s in %s only. To fuzz the target of a package with it:\n\n\t%s\n",
		file, env.GOVERSION, installed, shell.Command(command...)))
	return nil
}
