package session

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/internal/visible"
)

// An Output is where a command prints.
type Output struct {
	mu       sync.Mutex
	Text     io.Writer     // for results; none with -json, whose events have them
	Log      io.Writer     // for what tests and engines print; standard error with -json
	Json     *json.Encoder // nil without -json
	terminal bool          // standard error is one, and has a status line
	color    bool          // standard output is a terminal that shows colors
	quiet    time.Time     // until when there is no status line
	told     time.Time     // when a line of progress was printed
	live     string        // the status line that is shown
}

func NewOutput(asJSON bool) *Output {
	now := time.Now()
	o := &Output{
		Text:     os.Stdout,
		Log:      os.Stdout,
		terminal: terminalWidth(os.Stderr) > 0,
		color: terminalWidth(os.Stdout) > 0 && os.Getenv("NO_COLOR") == "" &&
			(runtime.GOOS != "windows" || os.Getenv("TERM") != ""), // not the oldest consoles
		quiet: now.Add(time.Second),
		told:  now,
	}
	if asJSON {
		o.Text, o.Log, o.Json = io.Discard, os.Stderr, json.NewEncoder(printable{os.Stdout})
	}
	return o
}

// Print prints whole lines above the status line.
func (o *Output) Print(w io.Writer, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	live := o.live
	o.show("")
	if o.color && w == os.Stdout {
		io.WriteString(w, paint(visible.Text(text)))
	} else {
		Print(w, text)
	}
	o.show(live)
}

// show replaces the status line.
func (o *Output) show(live string) {
	if !o.terminal || live == o.live {
		return
	}
	width := terminalWidth(os.Stderr) // now
	_, shown := cut(o.live, width)
	o.live = live
	live, _ = cut(live, width)
	fmt.Fprintf(os.Stderr, "\r%s\r%s", strings.Repeat(" ", shown), live)
}

// Status shows a status line if there is a terminal, and the command takes over a second.
func (o *Output) Status(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := visible.Text(fmt.Sprintf(format, args...))
	if text == "" || !time.Now().Before(o.quiet) {
		o.show(text)
	}
}

// Phase says what a command begins that may take minutes: as a status line, or, if there is no
// terminal, as a line on standard error.
func (o *Output) Phase(format string, args ...any) {
	if o.Status(format, args...); !o.terminal {
		o.Warn("corpusgen: " + fmt.Sprintf(format, args...) + "\n")
	}
}

// every is how often a line of progress is due where there is no terminal, as from the engine.
const every = 3 * time.Second

// due reports whether a line of progress is due.
func (o *Output) due(now time.Time) bool {
	if o.terminal || now.Sub(o.told) < every {
		return false
	}
	o.told = now
	return true
}

func (o *Output) Close() { o.Status("") }

func (o *Output) Complain(err error) { o.Warn(fmt.Sprintf("corpusgen: %v\n", err)) }

// Warn prints lines to standard error.
func (o *Output) Warn(text string) {
	if text != "" {
		o.Print(os.Stderr, text)
	}
}

// Emit prints a line of -json.
func (o *Output) Emit(event any) {
	if o.Json == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.Json.Encode(event) // nobody is listening
}

// A Head begins each line of -json.
type Head struct {
	Version int // of all events
	Time    time.Time
	Event   string
	Package string
	Target  string
}

func NewHead(name, pkg, target string) Head { return Head{1, time.Now(), name, pkg, target} }
