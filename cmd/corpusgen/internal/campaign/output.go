package campaign

import (
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
)

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

// printLine prints a line of t's output.
func (f *fuzzer) printLine(t *fuzzTarget, line string) {
	if t.label != "" {
		if line == "PASS" || line == "FAIL" {
			return
		}
		line = t.label + ": " + line
	}
	f.Print(f.Log, line+"\n")
}

// showProgress shows how far fuzzing of t has got, and how much time is left for all targets.
func (f *fuzzer) showProgress(t *fuzzTarget, left time.Duration) {
	f.Emit(progressEvent{t.event("progress"), t.tally.Executions(), t.tally.Found(),
		t.tally.Entries()})
	counts := t.tally.Counts()
	f.Status("%s: %v", t.name,
		session.Progress{Done: int(counts.Executions), One: "execution", Many: "executions",
			Left: left, Found: int(counts.Found), Failures: len(t.failures),
			Seconds: counts.Seconds, Covered: counts.Covered, Blocks: counts.Blocks})
}

// announce tells in a line of a failure that has just been found, if it is not the end: the summary
// has more.
func (f *fuzzer) announce(t *fuzzTarget, failure engine.Failure) {
	if !f.keepGoing && len(f.targets) == 1 {
		return
	}
	f.printLine(t, announcement(failure, t.pkg().Dir))
}

// announcement tells in a line of a failure in the package in dir.
func announcement(failure engine.Failure, dir string) string {
	line := "failure at " + placeText(failure)
	// the first line may lead to lines that are not here
	first := strings.TrimRight(session.FirstLine(finding.Message(failure.Log)), " \t\r:;,")
	if first != "" {
		line += ": " + first
	}
	if file := savedAs(failure, dir); file != "" {
		line += ", saved as " + file
	}
	return line
}

// tellEnd reports the end of a turn. For a target that is alone, the output ends as the output of
// `go test` does.
func (f *fuzzer) tellEnd(t *fuzzTarget, status string, exit gotest.Exit) {
	f.Emit(endEvent{t.event("end"), status})
	switch {
	case t.quiet:
	case t.label != "" && t.unfit != "":
		f.Note("%s %s", t.label, t.unfit)
	case t.label != "":
	case exit.Err == nil && status != "failed":
		f.Printf("ok  \t%s\t%.3fs\n", t.pkg().Path, exit.Wall.Seconds())
	case exit.Err == nil:
		f.Printf("FAIL\t%s\t%.3fs\n", t.pkg().Path, exit.Wall.Seconds())
	default:
		f.Printf("%v\nFAIL\t%s\t%.3fs\n", exit.Err, t.pkg().Path, exit.Wall.Seconds())
	}
}
