package main

import (
	"fmt"
	"time"

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

// progress shows how far fuzzing of t has got, and how much time is left for all targets.
func (o *fuzzOutput) progress(t *fuzzTarget, left time.Duration) {
	o.emit(progressEvent{t.event("progress"), t.tally.Executions(), t.tally.Found(), t.tally.Entries()})
	o.status("%s: %v", t.name, progress{done: int(t.tally.Executions()), one: "execution", many: "executions",
		left: left, found: int(t.tally.Found()), failures: len(t.failures)})
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
