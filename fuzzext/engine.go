package fuzzext

import (
	"flag"
	"runtime/debug"
)

// disableMinimization switches the engine's minimization off, unless the user has set its
// time. It removes bytes from inputs, and so destroys their structure.
func disableMinimization() {
	const name = "test.fuzzminimizetime"
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	if !set && flag.Lookup(name) != nil {
		_ = flag.Set(name, "0s") // if that fails, minimization only costs time
	}
}

// maxStack is how large the stack of a goroutine becomes in a process that fuzzes. A stack
// overflow of 128 MB, with the copies while the stack grows and the report of the runtime,
// takes 0.8 s of CPU time, one of 32 MB 0.2 s. The engine forgets an input whose run has not
// ended when the time for fuzzing is up.
const maxStack = 32 << 20

// limitStack makes infinite recursion end the process before the system does so for lack
// of memory: the engine saves no input then.
func limitStack() {
	if old := debug.SetMaxStack(maxStack); old < maxStack {
		debug.SetMaxStack(old)
	}
}
