package instrument

import (
	"context"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// FlagsForAll returns what the user wants all packages to be compiled with: the
// FLAGS of the last -gcflags=all=FLAGS in GOFLAGS and args, the arguments of a go
// command. Any other -gcflags is an error: the go command uses only one of those
// that match a package, and it must be ours.
func FlagsForAll(ctx context.Context, args []string) (string, error) {
	goflags, err := gotest.Output(ctx, "env", "GOFLAGS")
	if err != nil {
		return "", err
	}
	fields, err := gotest.SplitQuoted(goflags)
	if err != nil {
		return "", fmt.Errorf("GOFLAGS: %w", err)
	}
	all := ""
	for _, value := range append(gcflags(fields), gcflags(args)...) {
		value = strings.TrimSpace(value)
		pattern, flags, found := strings.Cut(value, "=")
		switch {
		case value == "":
		case found && strings.TrimSpace(pattern) == "all":
			all = strings.TrimSpace(flags)
		default:
			if found && !strings.HasPrefix(value, "-") {
				value = flags
			}
			return "", fmt.Errorf("instrumentation goes together with -gcflags only if they are for all packages: use -gcflags='all=%s'", value)
		}
	}
	return all, nil
}

// gcflags returns the values of -gcflags among args, which are as the go command
// reads them: up to -args, flags begin with one or two dashes, and their value may
// be an argument of its own.
func gcflags(args []string) []string {
	var values []string
	for i := 0; i < len(args); i++ {
		arg, isFlag := strings.CutPrefix(args[i], "-")
		name, value, found := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		switch {
		case !isFlag:
		case name == "args":
			return values
		case name == "gcflags" && found:
			values = append(values, value)
		case name == "gcflags" && i+1 < len(args):
			i++
			values = append(values, args[i])
		}
	}
	return values
}
