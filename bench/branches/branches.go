// Package branches tells which branches of the code that is compiled with -d=libfuzzer a run takes.
package branches

// A Tracer distinguishes runs of a target by the code that they execute.
type Tracer interface {
	Start()
	Trace() uint64 // returns a hash of the code executed since Start
	Points() []int // returns the branches taken since Start, each with its bucket of counts
	Add()          // adds the branches taken since Start to those of before
	Added() int    // returns how many branches have been added
}

// New makes a tracer, or nil in a binary without the tag traces.
var New = func() Tracer { return nil }

// Flags are those of go test with which the code of packages is traced.
func Flags(packages ...string) []string {
	flags := []string{"-tags=traces", "-ldflags=-checklinkname=0"}
	for _, p := range packages {
		flags = append(flags, "-gcflags="+p+"=-d=libfuzzer")
	}
	return flags
}
