package interleave

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
)

// Package synctest ends the process if what a bubble has made is used outside of it: package
// variables keep it until the next run, or a goroutine that was there before uses it.

// escapes passes on the output of tests, and finds in it where processes have ended so.
type escapes struct {
	out    io.Writer
	goroot string
	line   []byte // that has begun
	looks  bool   // for the place
	own    bool   // the last function of a stack is Espalier's
	places []string
}

// maxLine bounds the line that is kept, in bytes.
const maxLine = 1 << 16

func (e *escapes) Write(b []byte) (int, error) {
	for part := range bytes.Lines(b) {
		if len(e.line) < maxLine {
			e.line = append(e.line, part...)
		}
		if bytes.HasSuffix(part, []byte("\n")) {
			e.read(string(e.line))
			e.line = e.line[:0]
		}
	}
	return e.out.Write(b)
}

var (
	// escape matches what the runtime says, also as JSON.
	escape = regexp.MustCompile(`(?:^|:")fatal error: .*\bsynctest\b`)
	frame  = regexp.MustCompile(`^(?:.*:")?(?:\t|\\t)(.*\.go:\d+)`)
	ours   = regexp.MustCompile(`^(?:.*:")?github.com/espalier-go/espalier/` +
		`(?:fuzzext|bigen/schedule/point|internal/bubble)\.`)
)

// read finds the place where the code of a user stands in the stack that follows the error.
func (e *escapes) read(line string) {
	if escape.MatchString(line) {
		e.looks = true
		e.places = append(e.places, "")
		return
	}
	m := frame.FindStringSubmatch(line)
	if m == nil {
		e.own = ours.MatchString(line)
		return
	}
	if !e.looks || e.own || strings.HasPrefix(m[1], e.goroot) ||
		strings.Contains(m[1], "/bigen/schedule/point/") { // inlined into the user's function
		return
	}
	e.looks = false
	e.places[len(e.places)-1] = " at " + filepath.Base(m[1])
}

// advice says what the processes have ended of, or is "".
func (e *escapes) advice() string {
	var b strings.Builder
	for _, place := range e.places {
		b.WriteString("corpusgen: a channel, timer or group of one run is used outside of that run" +
			place + ": each run is a bubble of testing/synctest, which does not allow that. Make it " +
			"in the property, anew for each run. If a package variable keeps it, or a goroutine that " +
			"the package starts once, the package cannot explore schedules as it is\n")
	}
	return b.String()
}
