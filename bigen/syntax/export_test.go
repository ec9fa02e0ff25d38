package syntax

// SetMaxSteps changes after how many steps a parser gives up, and returns a function that
// restores the number.
func SetMaxSteps(n int) func() {
	old := maxSteps
	maxSteps = n
	return func() { maxSteps = old }
}
