package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/engine"
)

// A fuzzOutput prints the output of a run of `corpusgen fuzz`.
type fuzzOutput struct {
	mu    sync.Mutex
	text  io.Writer     // what the engine prints, and the summary
	json  *json.Encoder // nil without -json
	width int           // of the terminal's lines; 0 if there is no terminal
	live  string        // the status line that is shown
}

// fuzzEvent begins each line of -json.
type fuzzEvent struct {
	Version int // of all events
	Time    time.Time
	Event   string
	Package string
	Target  string
}

type (
	startEvent    struct{ fuzzEvent }
	progressEvent struct {
		fuzzEvent
		Executions, Found, Entries int64
	}
	failureEvent struct {
		fuzzEvent
		Failure engine.Failure
	}
	endEvent struct {
		fuzzEvent
		Status string
	}
	summaryEvent struct {
		fuzzEvent
		Summary *fuzzSummary
	}
)

// event begins an event of t.
func event(t *fuzzTarget, name string) fuzzEvent {
	return fuzzEvent{1, time.Now(), name, t.pkg().Path, t.name}
}

func newFuzzOutput(asJSON bool) *fuzzOutput {
	o := &fuzzOutput{text: os.Stdout, width: terminalWidth(os.Stderr)}
	if asJSON {
		o.text, o.json = os.Stderr, json.NewEncoder(os.Stdout)
	}
	return o
}

// terminalWidth returns how many characters fit into a line, or 0 if f is not a terminal.
func terminalWidth(f *os.File) int {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return 0
	}
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || width < 2 {
		width = 80
	}
	return width - 1
}

// print prints whole lines above the status line.
func (o *fuzzOutput) print(w io.Writer, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	live := o.live
	o.show("")
	io.WriteString(w, text)
	o.show(live)
}

// show replaces the status line.
func (o *fuzzOutput) show(live string) {
	if o.width == 0 || live == o.live {
		return
	}
	fmt.Fprintf(os.Stderr, "\r%s\r%s", strings.Repeat(" ", len([]rune(o.live))), live)
	o.live = live
}

// status shows a status line if there is a terminal.
func (o *fuzzOutput) status(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := []rune(fmt.Sprintf(format, args...))
	o.show(string(text[:min(len(text), o.width)]))
}

func (o *fuzzOutput) close() { o.status("") }

func (o *fuzzOutput) complain(err error) { o.warn(fmt.Sprintf("corpusgen: %v\n", err)) }

// warn prints lines to standard error.
func (o *fuzzOutput) warn(text string) {
	if text != "" {
		o.print(os.Stderr, text)
	}
}

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

// emit prints a line of -json.
func (o *fuzzOutput) emit(event any) {
	if o.json == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.json.Encode(event) // nobody is listening
}

func (o *fuzzOutput) progress(t *fuzzTarget) {
	o.emit(progressEvent{event(t, "progress"), t.tally.Executions(), t.tally.Found(), t.tally.Entries()})
	o.status("%s: %d executions, %s, %s", t.name, t.tally.Executions(),
		count(int(t.tally.Found()), "new entry", "new entries"), count(len(t.failures), "failure", "failures"))
}

// end reports the end of a turn. For a target that is alone, the output ends as that of
// `go test` does.
func (o *fuzzOutput) end(t *fuzzTarget, status string, exit gotest.Exit) {
	o.emit(endEvent{event(t, "end"), status})
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
