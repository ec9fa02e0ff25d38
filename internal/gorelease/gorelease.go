// Package gorelease is the place for what depends on the release of Go. When a release
// comes out, change
//
//  1. This file: set Newest to the release and Oldest to the one before, which the Go
//     project still supports. If the engine allows an execution another time (the call of
//     time.AfterFunc in RunFuzzWorker of internal/fuzz), add a line to limits: the test of
//     this package compares.
//  2. cmd/corpusgen/internal/overlay/parts.go, and libfuzzer.go beside it: run
//     `ESPALIER_LONG=1 go test ./cmd/corpusgen/internal/overlay ./internal/engine`. The
//     tests apply the edits of internal/fuzz, testing and runtime to the sources of both releases,
//     and name the anchors that these lack. Change those.
//  3. bench/go.mod, eval/go.mod, contrib/*/go.mod and .ci/tools.mod: the line `go`, which names the
//     oldest release. That of go.mod names Least, so that users need not change theirs. Raise it if
//     what a later release has is worth it.
//  4. Scripts with a condition such as [go1.27], which tells releases apart until the older ones
//     leave: fuzzext/testdata/script/artifacts.txtar needs Go 1.26, cover.txtar of
//     cmd/corpusgen/testdata/script drops what an older release wants, and
//     fuzzext/testdata/script/hang.txtar, which is skipped since go1.27, needs other times or has
//     to go.
//  5. docs/fuzz-targets.md and docs/ci.md: times and faults of a release that leaves.
//
// The tests of this package fail until 3 and 4 are done. Then run .ci/run, which tests with
// both releases.
package gorelease

import (
	"go/version"
	"strings"
	"time"
)

// The releases that are supported, as GOTOOLCHAIN takes them.
const (
	Oldest = "go1.26.8"
	Newest = "go1.27.3"
)

// Least is a version of the oldest release that compiles the module, and passes the tests of the
// library and of the engine. The Go project need not support it any more. Go 1.24 lacks what fake
// time and schedules need, testing/synctest, and testing.T.Output, by which reports are printed.
const Least = "go1.25.12"

// limits are how long the engine allows an execution, up to the release before until, which
// is empty for all later ones.
var limits = []struct {
	until string
	limit time.Duration
}{
	{"go1.27", 10 * time.Second},
	{"", 60 * time.Second},
}

// Limit returns how long Go's fuzzing engine allows an execution, given the version as the
// go command and [runtime.Version] report it, such as go1.26.8 or devel go1.28-abcdef.
func Limit(goVersion string) time.Duration {
	goVersion = strings.TrimPrefix(goVersion, "devel ")
	release, _, _ := strings.Cut(goVersion, " ")
	for _, l := range limits {
		if l.until == "" || version.IsValid(release) && version.Compare(release, l.until) < 0 {
			return l.limit
		}
	}
	panic("unreachable")
}
