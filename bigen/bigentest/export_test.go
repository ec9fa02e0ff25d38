package bigentest

import "time"

// SetMaxTime changes how long a run may take, and returns what changes it back.
func SetMaxTime(d time.Duration) func() {
	old := maxTime
	maxTime = d
	return func() { maxTime = old }
}
