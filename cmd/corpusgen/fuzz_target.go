package main

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/internal/campaign"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/gotest"
)

// A fuzzTarget is a target of a campaign.
type fuzzTarget struct {
	name     string
	label    string // names it in output; empty if it is the only one
	binary   *gotest.Binary
	state    *campaign.State
	record   *campaign.Record
	tally    campaign.Tally
	failures []engine.Failure
	unfit    string  // why the target cannot be fuzzed
	turns    int     // that have ended
	spent    float64 // of the limit
	idle     int     // turns in a row that ended with a failure that is known
}

func (t *fuzzTarget) pkg() gotest.Package { return t.binary.Package }

// A turnLog reads the output of a turn for what the engine tells about a failure.
type turnLog struct {
	partial []byte
	line    func(string) // is given each line, without its end

	fuzzed  bool // the engine has come to fuzzing
	failing bool
	log     []string
	file    string // that the failing input was written to
	seed    string // that failed, as FuzzX/name
}

// maxFailureLog limits what is kept of the log of a failure, in lines.
const maxFailureLog = 1000

func (l *turnLog) Write(p []byte) (int, error) {
	l.partial = append(l.partial, p...)
	for {
		line, rest, ok := bytes.Cut(l.partial, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.read(strings.TrimSuffix(string(line), "\r"))
		l.partial = rest
	}
}

// end reads what has no end of line.
func (l *turnLog) end() {
	if len(l.partial) > 0 {
		l.read(string(l.partial))
		l.partial = nil
	}
}

const (
	writtenTo  = "Failing input written to "
	seedFailed = "failure while testing seed corpus entry: "
)

func (l *turnLog) read(line string) {
	l.line(line)
	l.failing = l.failing || strings.HasPrefix(line, "--- FAIL: ")
	trimmed := strings.TrimSpace(line)
	if file, ok := strings.CutPrefix(trimmed, writtenTo); ok {
		l.file = strings.ReplaceAll(file, `\`, "/")
		l.failing = false
	} else if seed, ok := strings.CutPrefix(trimmed, seedFailed); ok {
		l.seed = seed
	}
	if l.failing && len(l.log) < maxFailureLog {
		l.log = append(l.log, line)
	}
}

var position = regexp.MustCompile(`^\s+(\S+\.go:\d+): `)

// failure returns the failure that the engine told about, with what can be known
// from its output alone.
func (l *turnLog) failure(t *fuzzTarget) (engine.Failure, bool) {
	f := engine.Failure{Target: t.name, Log: strings.Join(l.log, "\n"), File: l.file}
	if f.File == "" && l.seed != "" {
		f.File = path.Join("testdata", "fuzz", l.seed)
	}
	if f.File == "" {
		return f, false
	}
	for _, line := range l.log {
		if m := position.FindStringSubmatch(line); m != nil {
			f.Place = m[1]
			break
		}
	}
	f.Rerun = "go test -run '^" + t.name + "$/^" + path.Base(f.File) + "$' " + t.pkg().Path
	return f, true
}
