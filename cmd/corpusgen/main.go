// Corpusgen fuzzes targets with Go's own engine, and fills the corpora of those that use
// fuzzext. A target's generator lives in a _test.go file. So corpusgen builds or runs the
// target with the go command, and talks to the test binary. The user's code needs no
// change.
//
// Usage:
//
//	corpusgen <command> [arguments]
//
// `corpusgen help` lists the commands and `corpusgen help <command>` explains
// one. The exit status is 0 for success, 1 if something could not be done, 2 if the command
// line is wrong and 130 after an interrupt.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A command is a subcommand of corpusgen.
type command struct {
	name    string
	summary string // for the list of commands
	usage   string // for `corpusgen help name`, starting with the command line
	run     func(ctx context.Context, args []string) error
}

// commands are in the order of the files that register them.
var commands []*command

// register adds a command. A file calls it as it declares a variable.
func register(cmd *command) *command {
	commands = append(commands, cmd)
	return cmd
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := dispatch(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

// dispatch runs the command that args name and returns the exit status.
func dispatch(ctx context.Context, args []string) int {
	if len(args) == 0 {
		printUsage(os.Stderr)
		return 2
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(args)
	}
	cmd := find(name)
	if cmd == nil {
		return unknown(name)
	}
	err := cmd.run(ctx, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, session.ErrHelp):
		fmt.Print(cmd.usage)
		return 0
	case ctx.Err() != nil:
		session.Complain("interrupted")
		return 130
	case errors.Is(err, session.ErrReported):
		session.EachError(err, func(err error) {
			if err != session.ErrReported {
				session.Complain("%v", err)
			}
		})
		return 1
	}
	if usage, ok := errors.AsType[session.UsageError](err); ok {
		session.Complain("%s: %v\nRun 'corpusgen help %s' for usage.", cmd.name, usage, cmd.name)
		return 2
	}
	session.Complain("%v", err)
	return 1
}

// help serves `corpusgen help [command]`.
func help(args []string) int {
	if len(args) == 0 {
		printUsage(os.Stdout)
		return 0
	}
	cmd := find(args[0])
	if cmd == nil {
		return unknown(args[0])
	}
	fmt.Print(cmd.usage)
	return 0
}

func find(name string) *command {
	for _, cmd := range commands {
		if cmd.name == name {
			return cmd
		}
	}
	return nil
}

func unknown(name string) int {
	session.Complain("unknown command %q\nRun 'corpusgen help' for usage.", name)
	return 2
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, `Corpusgen fuzzes targets and fills the corpora of those that use fuzzext.

Usage:

	corpusgen <command> [arguments]

The commands are:

`)
	for _, cmd := range commands {
		fmt.Fprintf(w, "\t%-9s %s\n", cmd.name, cmd.summary)
	}
	fmt.Fprint(w, "\nUse \"corpusgen help <command>\" for more about a command.\n")
}
