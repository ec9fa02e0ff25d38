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
// line is wrong and 130 after an interrupt. Corpusgen strength has statuses of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apitest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/campaign"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/exchange"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/grammar"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/interleave"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/libfuzzer"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/ossfuzz"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/proptest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/strength"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/tuning"
	"github.com/espalier-go/espalier/internal/job"
)

// A command is a subcommand of corpusgen. Its usage is in the folder usage.
type command struct {
	name    string
	summary string // for the list of commands
	run     func(ctx context.Context, args []string) error
}

var commands = []command{
	{"api", "write a harness that calls the API of a package", apitest.Run},
	{"completion", "print a script by which a shell completes commands and flags", runCompletion},
	{"cover", "print what code a target's corpus covers, and what it does not reach", coverage.Cover},
	{"diff", "print what differs between two corpus entries, as choices", corpora.Diff},
	{"export", "write the values of a corpus as files for other tools", exchange.Export},
	{"fuzz", "fuzz targets with Go's own engine, better informed", campaign.Fuzz},
	{"grammar", "write types, a generator and a parser of the texts of a grammar", grammar.Run},
	{"import", "turn inputs of other fuzzers, or JSON values, into corpus entries", exchange.Import},
	{"libfuzzer", "build fuzz targets as binaries of libFuzzer", libfuzzer.Build},
	{"min", "find a small part of a corpus that covers what all of it does", coverage.Min},
	{"mutate", "add mutants of a target's corpus, or check the property on them", corpora.Mutate},
	{"oss-fuzz", "write what OSS-Fuzz and ClusterFuzzLite need to run fuzz targets", ossfuzz.Run},
	{"promote", "turn corpus entries into code of the target", corpora.Promote},
	{"recode", "rewrite corpus entries that do not spell out their values", corpora.Recode},
	{"report", "write a page about corpora, to read in a browser", stats.Report},
	{"seed", "add entries made by a target's own generator to testdata/fuzz", corpora.Seed},
	{"show", "print the values and choices that corpus entries stand for", corpora.Show},
	{"stats", "measure corpora beside their generators", stats.Stats},
	{"strength", "find small mistakes of the code that no test notices", strength.Run},
	{"sync", "exchange the inputs of corpora with other machines through a directory", exchange.Sync},
	{"test", "run tests that explore the schedules of goroutines", interleave.Run},
	{"tune", "make a target's generator make values as you want them", tuning.Run},
	{"version", "print the version of corpusgen", runVersion},
	{"write", "write the first property tests of a package", proptest.Run},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	nameProgram()
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
	case "-version", "--version":
		name = "version"
	case "help", "-h", "-help", "--help":
		return help(args)
	}
	cmd := find(name)
	if cmd == nil {
		return unknown(name)
	}
	err := cmd.run(ctx, args)
	status := report(ctx, cmd, err)
	if own := (session.StatusError{}); errors.As(err, &own) && ctx.Err() == nil {
		return own.Status
	}
	return status
}

// report says how a command has ended, and returns the usual exit status.
func report(ctx context.Context, cmd *command, err error) int {
	if own := (session.StatusError{}); errors.As(err, &own) {
		err = own.Err
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, session.ErrHelp):
		fmt.Print(usage(cmd.name))
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
	if usage := (session.UsageError{}); errors.As(err, &usage) {
		session.Complain("%s: %v\nRun '%s help %s' for usage.", cmd.name, usage, job.Program(),
			cmd.name)
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
	fmt.Print(usage(cmd.name))
	return 0
}

func find(name string) *command {
	for i := range commands {
		if commands[i].name == name {
			return &commands[i]
		}
	}
	return nil
}

func unknown(name string) int {
	hint := ""
	if near := gotest.Nearest(name, append(names(), "help")); near != "" {
		hint = fmt.Sprintf(": did you mean %s?", near)
	}
	session.Complain("unknown command %q%s\nRun '%s help' for usage.", name, hint, job.Program())
	return 2
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, `Corpusgen fuzzes targets and fills the corpora of those that use fuzzext.

Usage:

	corpusgen <command> [arguments]

The commands are:

`)
	for _, cmd := range commands {
		fmt.Fprintf(w, "\t%-10s %s\n", cmd.name, cmd.summary)
	}
	fmt.Fprintf(w, "\nUse \"%s help <command>\" for more about a command.\n", job.Program())
}
