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
)

// An output is where a command prints.
type output struct {
	mu    sync.Mutex
	text  io.Writer     // for results; standard error with -json
	json  *json.Encoder // nil without -json
	width int           // of the terminal's lines; 0 if there is no terminal
	quiet time.Time     // until when there is no status line
	live  string        // the status line that is shown
}

func newOutput(asJSON bool) *output {
	o := &output{text: os.Stdout, width: terminalWidth(os.Stderr), quiet: time.Now().Add(time.Second)}
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
func (o *output) print(w io.Writer, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	live := o.live
	o.show("")
	io.WriteString(w, text)
	o.show(live)
}

// show replaces the status line.
func (o *output) show(live string) {
	if o.width == 0 || live == o.live {
		return
	}
	fmt.Fprintf(os.Stderr, "\r%s\r%s", strings.Repeat(" ", len([]rune(o.live))), live)
	o.live = live
}

// status shows a status line if there is a terminal, and the command takes over a second.
func (o *output) status(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := []rune(fmt.Sprintf(format, args...))
	if len(text) > 0 && time.Now().Before(o.quiet) {
		return
	}
	o.show(string(text[:min(len(text), o.width)]))
}

func (o *output) close() { o.status("") }

func (o *output) complain(err error) { o.warn(fmt.Sprintf("corpusgen: %v\n", err)) }

// warn prints lines to standard error.
func (o *output) warn(text string) {
	if text != "" {
		o.print(os.Stderr, text)
	}
}

// emit prints a line of -json.
func (o *output) emit(event any) {
	if o.json == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.json.Encode(event) // nobody is listening
}

// An event begins each line of -json.
type event struct {
	Version int // of all events
	Time    time.Time
	Event   string
	Package string
	Target  string
}

func newEvent(name, pkg, target string) event { return event{1, time.Now(), name, pkg, target} }
