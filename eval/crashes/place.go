package main

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

const (
	hang   = "hang"
	memory = "out of memory"
	stack  = "stack overflow"
)

// killed is the error of a process that the system ends when its CPU time is over.
const killed = "signal: killed"

// same reports whether failures at two places are one. All limits are the same place: what does not
// end may use up its time or its memory first.
func same(a, b string) bool { return a == b || limit(a) && limit(b) }

func limit(place string) bool { return place == hang || place == memory || place == stack }

var (
	noMemory = regexp.MustCompile(`(?m)^(fatal error: )?runtime: ` +
		`(out of memory|cannot allocate memory)`)
	failure = regexp.MustCompile(`(?m)^\s+(\w+\.go:\d+): `)
	frame   = regexp.MustCompile(`^([^\s/]+\.[^\s/]+/\S*)\(`)
)

// place says where a test has failed that ran one input: at a limit, in the function of a panic, or
// in the line of the target. It is "" for a test that has passed.
func place(p others.Process) string {
	switch {
	case p.Err == nil:
		return ""
	case p.Late || bytes.Contains(p.Out, []byte("SIGXCPU")) || p.Err.Error() == killed:
		return hang
	case noMemory.Match(p.Out):
		return memory
	case bytes.Contains(p.Out, []byte("goroutine stack exceeds")):
		return stack
	}
	if f := thrower(string(p.Out)); f != "" {
		return "panic in " + f
	}
	if m := failure.FindSubmatch(p.Out); m != nil {
		return "failure at " + string(m[1])
	}
	return "failure: " + p.Tail()
}

// thrower returns the function in which the first goroutine of a trace has panicked, or met a
// fault: the first one below the last call of panic, if any, that is not of the standard library.
func thrower(trace string) (function string) {
	_, trace, _ = strings.Cut(trace, " [running]:\n")
	trace, _, _ = strings.Cut(trace, "\n\n")
	if i := strings.LastIndex(trace, "\npanic("); i >= 0 {
		trace = trace[i+1:]
	}
	for line := range strings.Lines(trace) {
		if m := frame.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}
