package gotest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Output runs the go command with args and returns what it prints to standard
// output. The error of a go command that fails is what it prints to standard error,
// if it does.
func Output(ctx context.Context, args ...string) (string, error) {
	stdout, stderr, err := output(ctx, args...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(stderr) > 0 {
		return "", errors.New(strings.TrimSpace(string(stderr)))
	} else if err != nil {
		return string(stdout), fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(stdout), nil
}
