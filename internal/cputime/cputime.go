// Package cputime tells how much CPU time this process has used.
package cputime

import "time"

// Process returns the CPU time of this process so far, of the user and of the system. It
// reports false where the system does not tell.
func Process() (time.Duration, bool) { return process() }
