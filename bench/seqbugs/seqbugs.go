// Package seqbugs has five structures of well-known modules, with bugs to plant that a few
// calls in the right order reveal.
package seqbugs

var (
	// Planted is the bug that the structures have, or "".
	Planted string

	// Calls counts calls.
	Calls int
)

// called reports whether a bug is planted, and counts the call.
func called(bug string) bool {
	Calls++
	return Planted == bug
}
