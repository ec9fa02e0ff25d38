package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/ossfuzz"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// ossFuzzCommands are the commands of `corpusgen oss-fuzz`, by name.
var ossFuzzCommands = map[string]func(context.Context, []string) error{
	"init":     ossfuzz.Init,
	"coverage": ossfuzz.BuildCoverage,
	"entries":  ossfuzz.Entries,
}

func runOSSFuzz(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return session.UsageError{Msg: "name a command: init or coverage"}
	}
	if slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return session.ErrHelp
	}
	run, ok := ossFuzzCommands[args[0]]
	if !ok {
		return session.UsageError{Msg: fmt.Sprintf("there is no command %q: want init or coverage", args[0])}
	}
	return run(ctx, args[1:])
}
