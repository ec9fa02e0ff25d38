package gotest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// GoList runs `go list` with args, which must have -json, and returns what it prints of each
// package.
func GoList[T any](ctx context.Context, args ...string) (all []T, err error) {
	out, err := Output(ctx, append([]string{"list"}, args...)...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var v T
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, v)
	}
}
