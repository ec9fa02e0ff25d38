package gotest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// event is a line of `go test -json`, as in go doc test2json and go help
// buildjson.
type event struct {
	Action, Test, Output string
}

// log is the output of `go test -json`.
type log struct {
	actions map[string]string // the latest action of each test but output
	last    string            // the test that has started, or continued, last
	output  []event           // events with output, in order
}

// readLog keeps lines that are not events as output, so that no message of the go command
// is lost.
func readLog(stdout []byte) log {
	l := log{actions: map[string]string{}}
	for line := range bytes.Lines(stdout) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			e = event{Action: "output", Output: string(line)}
		}
		switch e.Action {
		case "output", "build-output":
			l.output = append(l.output, e)
		default:
			if e.Test != "" {
				l.actions[e.Test] = e.Action
			}
			if e.Action == "run" || e.Action == "cont" {
				l.last = e.Test
			}
		}
	}
	return l
}

// text is what `go test` prints without -v, in the order of -v.
func (l log) text() string {
	var b strings.Builder
	for _, e := range l.output {
		action := l.actions[e.Test]
		if action == "pass" || action == "skip" || strings.HasPrefix(e.Output, "=== ") {
			continue
		}
		b.WriteString(e.Output)
	}
	return b.String()
}

// entries returns the names of the tests within a fuzz target.
func (l log) entries(target string) (names []string) {
	for test := range l.actions {
		if rest, ok := strings.CutPrefix(test, target+"/"); ok && !strings.Contains(rest, "/") {
			names = append(names, rest)
		}
	}
	return names
}
