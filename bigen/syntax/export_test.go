package syntax

// SetMaxSteps changes after how many steps a parser gives up, and returns what changes it back.
func SetMaxSteps(n int) func() {
	old := maxSteps
	maxSteps = n
	return func() { maxSteps = old }
}
