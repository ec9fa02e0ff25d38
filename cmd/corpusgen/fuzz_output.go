package main

import (
	"fmt"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/engine"
)

// A fuzzOutput prints the output of a run of `corpusgen fuzz`.
type fuzzOutput struct{ *output }

type (
	startEvent    struct{ event }
	progressEvent struct {
		event
		Executions, Found, Entries int64
	}
	failureEvent struct {
		event
		Failure engine.Failure
	}
	endEvent struct {
		event
		Status string
	}
	summaryEvent struct {
		event
		Summary *fuzzSummary
	}
)

// event begins an event of t.
func (t *fuzzTarget) event(name string) event { return newEvent(name, t.pkg().Path, t.name) }

// line prints a line of t's output.
func (o *fuzzOutput) line(t *fuzzTarget, line string) {
	if t.label != "" {
		if line == "PASS" || line == "FAIL" {
			return
		}
		line = t.label + ": " + line
	}
	o.print(o.text, line+"\n")
}

func (o *fuzzOutput) progress(t *fuzzTarget) {
	o.emit(progressEvent{t.event("progress"), t.tally.Executions(), t.tally.Found(), t.tally.Entries()})
	o.status("%s: %d executions, %s, %s", t.name, t.tally.Executions(),
		count(int(t.tally.Found()), "new entry", "new entries"), count(len(t.failures), "failure", "failures"))
}

// end reports the end of a turn. For a target that is alone, the output ends as that of
// `go test` does.
func (o *fuzzOutput) end(t *fuzzTarget, status string, exit gotest.Exit) {
	o.emit(endEvent{t.event("end"), status})
	switch {
	case t.label != "" && t.unfit != "":
		o.warn(fmt.Sprintf("corpusgen: %s %s\n", t.label, t.unfit))
	case t.label != "":
	case exit.Err == nil:
		o.print(o.text, fmt.Sprintf("ok  \t%s\t%.3fs\n", t.pkg().Path, exit.Wall.Seconds()))
	default:
		o.print(o.text, fmt.Sprintf("%v\nFAIL\t%s\t%.3fs\n", exit.Err, t.pkg().Path, exit.Wall.Seconds()))
	}
}
