package gocmd

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"strings"

	"github.com/espalier-go/espalier/internal/gorelease"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// A Toolchain is an installation of Go that the go command can use.
type Toolchain struct {
	GOROOT, GOVERSION, GOMODCACHE string
	Env                           []string // makes the go command use it
}

// Running returns the toolchain that runs the test.
func Running() (Toolchain, error) { return findToolchain() }

// Toolchains returns the running toolchain. If large counts are enabled (see [long]), it adds one
// for each other release that Espalier supports, which the go command fetches.
func Toolchains() ([]Toolchain, error) {
	running, err := findToolchain()
	if err != nil || !long.Enabled() {
		return []Toolchain{running}, err
	}
	all := []Toolchain{running}
	for _, v := range []string{gorelease.Oldest, gorelease.Newest} {
		if release(v) == release(running.GOVERSION) {
			continue
		}
		t, err := other(v)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// other returns the toolchain of a version, such as go1.26.8, which the go command may
// have to fetch.
func other(v string) (Toolchain, error) {
	t, err := findToolchain("GOTOOLCHAIN=" + v)
	if err == nil && t.GOVERSION != v {
		err = fmt.Errorf("GOTOOLCHAIN=%s uses %s", v, t.GOVERSION)
	}
	return t, err
}

// findToolchain asks the go command.
func findToolchain(env ...string) (Toolchain, error) {
	cmd := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOMODCACHE")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 3 {
		return Toolchain{}, fmt.Errorf("go env with %s: %q, %w", env, out, err)
	}
	return Toolchain{lines[0], lines[1], lines[2], env}, nil
}

// release returns the release of a version: go1.26 for go1.26.8 and go1.26rc1.
func release(v string) string {
	v, _, _ = strings.Cut(v, " ")
	return version.Lang(v)
}
