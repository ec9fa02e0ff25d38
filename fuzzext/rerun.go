package fuzzext

import (
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/shell"
)

// rerun returns the command that runs one test of a package, or one corpus entry, again. A run that
// hangs gets a time limit. The path of the package may be "".
func rerun(pkg, name string, hangs bool) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	command := "go test "
	if point.Instrumented() {
		command = "corpusgen test "
	}
	if hangs {
		command += "-timeout 30s "
	}
	if raceDetector {
		command += "-race "
	}
	command += "-run " + shell.Quote(strings.Join(parts, "/"))
	if pkg != "" {
		command += " " + pkg
	}
	return command
}
