package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

const (
	mostTests = 3 * time.Minute  // by the clock, for the tests of a package
	mostAlone = 20 * time.Second // by the clock, for one test alone
)

// outcomes are those of tests, by their names: pass, fail, skip, or none if a test has begun and has
// no other.
type outcomes map[string]string

// runTests runs tests of a binary. Limit is their CPU time, and most their time by the clock.
func runTests(
	ctx context.Context, p tested, binary string, limit, most time.Duration, env []string,
	args ...string,
) (outcomes, others.Process) {
	cmd := others.WithLimits(limit, 0, append([]string{binary, "-test.v=test2json", "-test.parallel=1",
		"-test.timeout=" + (most * 2 / 3).String()}, args...)...)
	cmd.Dir, cmd.Env = p.Dir, others.Environment(env...)
	done := others.Start(ctx, most, most, cmd)
	return read(done.Out), done
}

// read reads the output of tests.
func read(out []byte) outcomes {
	all := outcomes{}
	for line := range bytes.Lines(out) {
		if m := begins.FindSubmatch(line); m != nil {
			all[testName(m[1])] = "none"
		} else if m := ends.FindSubmatch(line); m != nil {
			all[testName(m[2])] = strings.ToLower(string(m[1]))
		}
	}
	return all
}

// testName returns the name of a test without addresses, which differ between binaries.
func testName(name []byte) string { return string(address.ReplaceAll(name, []byte("0x…"))) }

var address = regexp.MustCompile(`0x[0-9a-f]{4,}`)

var (
	begins = regexp.MustCompile("\x16=== RUN   (.*)\n")
	ends   = regexp.MustCompile("\x16 *--- (PASS|FAIL|SKIP): (.*) \\([0-9.]+s\\)\n")
)
