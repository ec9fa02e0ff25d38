package gotest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// An Env is what the go command says about itself.
type Env struct {
	GOROOT, GOVERSION, GOCACHE, GOFLAGS, GOEXE string
}

// ReadEnv asks the go command.
func ReadEnv(ctx context.Context) (*Env, error) {
	stdout, stderr, err := output(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOCACHE", "GOFLAGS", "GOEXE")
	if err != nil {
		if len(stderr) > 0 {
			return nil, errors.New(strings.TrimSpace(string(stderr)))
		}
		return nil, fmt.Errorf("go env: %w", err)
	}
	env := &Env{}
	if err := json.Unmarshal(stdout, env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return env, nil
}
