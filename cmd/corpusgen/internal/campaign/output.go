package campaign

import (
	"fmt"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
)

// A fuzzOutput prints the output of a run of `corpusgen fuzz`.
type fuzzOutput struct{ *session.Output }

type (
	startEvent    struct{ session.Head }
	progressEvent struct {
		session.Head
		Executions, Found, Entries int64
	}
	failureEvent struct {
		session.Head
		Failure engine.Failure
	}
	endEvent struct {
		session.Head
		Status string
	}
	summaryEvent struct {
		session.Head
		Summary *fuzzSummary
	}
)

// event begins an event of t.
func (t *fuzzTarget) event(name string) session.Head {
	return session.NewHead(name, t.pkg().Path, t.name)
}

// line prints a line of t's output.
func (o *fuzzOutput) line(t *fuzzTarget, line string) {
	if t.label != "" {
		if line == "PASS" || line == "FAIL" {
			return
		}
		line = t.label + ": " + line
	}
	o.Print(o.Text, line+"\n")
}

// progress shows how far fuzzing of t has got, and how much time is left for all targets.
func (o *fuzzOutput) progress(t *fuzzTarget, left time.Duration) {
	o.Emit(progressEvent{t.event("progress"), t.tally.Executions(), t.tally.Found(), t.tally.Entries()})
	o.Status("%s: %v", t.name, session.Progress{Done: int(t.tally.Executions()), One: "execution", Many: "executions",
		Left: left, Found: int(t.tally.Found()), Failures: len(t.failures)})
}

// end reports the end of a turn. For a target that is alone, the output ends as that of
// `go test` does.
func (o *fuzzOutput) end(t *fuzzTarget, status string, exit gotest.Exit) {
	o.Emit(endEvent{t.event("end"), status})
	switch {
	case t.label != "" && t.unfit != "":
		o.Warn(fmt.Sprintf("corpusgen: %s %s\n", t.label, t.unfit))
	case t.label != "":
	case exit.Err == nil:
		o.Print(o.Text, fmt.Sprintf("ok  \t%s\t%.3fs\n", t.pkg().Path, exit.Wall.Seconds()))
	default:
		o.Print(o.Text, fmt.Sprintf("%v\nFAIL\t%s\t%.3fs\n", exit.Err, t.pkg().Path, exit.Wall.Seconds()))
	}
}
