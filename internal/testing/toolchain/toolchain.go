// Package toolchain decides with which releases of Go a test runs.
//
// By default, that is the release that runs the test. ESPALIER_LONG=1 adds the others that
// Espalier supports, which the go command fetches (see [long]).
package toolchain

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
func Running() (Toolchain, error) { return find() }

// All returns the running toolchain and, if large counts are enabled, one for each other
// release that is supported.
func All() ([]Toolchain, error) {
	running, err := find()
	if err != nil || !long.Enabled() {
		return []Toolchain{running}, err
	}
	all := []Toolchain{running}
	for _, v := range []string{gorelease.Oldest, gorelease.Newest} {
		if release(v) == release(running.GOVERSION) {
			continue
		}
		t, err := Other(v)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Other returns the toolchain of a version, such as go1.26.8, which the go command may
// have to fetch.
func Other(v string) (Toolchain, error) {
	t, err := find("GOTOOLCHAIN=" + v)
	if err == nil && t.GOVERSION != v {
		err = fmt.Errorf("GOTOOLCHAIN=%s uses %s", v, t.GOVERSION)
	}
	return t, err
}

func find(env ...string) (Toolchain, error) {
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
