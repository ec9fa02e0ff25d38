package session

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An Output is where a command prints.
type Output struct {
	mu    sync.Mutex
	Text  io.Writer     // for results; standard error with -json
	Json  *json.Encoder // nil without -json
	width int           // of the terminal's lines; 0 if there is no terminal
	color bool          // standard output is a terminal that shows colors
	quiet time.Time     // until when there is no status line
	told  time.Time     // when a line of progress was printed
	live  string        // the status line that is shown
}

func NewOutput(asJSON bool) *Output {
	now := time.Now()
	o := &Output{
		Text:  os.Stdout,
		width: terminalWidth(os.Stderr),
		color: terminalWidth(os.Stdout) > 0 && os.Getenv("NO_COLOR") == "" &&
			(runtime.GOOS != "windows" || os.Getenv("TERM") != ""), // not the oldest consoles
		quiet: now.Add(time.Second),
		told:  now,
	}
	if asJSON {
		o.Text, o.Json = os.Stderr, json.NewEncoder(printable{os.Stdout})
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

// Print prints whole lines above the status line.
func (o *Output) Print(w io.Writer, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	live := o.live
	o.show("")
	if o.color && w == os.Stdout {
		io.WriteString(w, paint(clean(text)))
	} else {
		Print(w, text)
	}
	o.show(live)
}

// show replaces the status line.
func (o *Output) show(live string) {
	if o.width == 0 || live == o.live {
		return
	}
	fmt.Fprintf(os.Stderr, "\r%s\r%s", strings.Repeat(" ", len([]rune(o.live))), live)
	o.live = live
}

// Status shows a status line if there is a terminal, and the command takes over a second.
func (o *Output) Status(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := []rune(clean(fmt.Sprintf(format, args...)))
	if len(text) > 0 && time.Now().Before(o.quiet) {
		return
	}
	o.show(string(text[:min(len(text), o.width)]))
}

// every is how often a line of progress is due where there is no terminal, as from the engine.
const every = 3 * time.Second

// due reports whether a line of progress is due.
func (o *Output) due(now time.Time) bool {
	if o.width > 0 || now.Sub(o.told) < every {
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
