package point

import "runtime"

// numbered calls f. The lines of the calls stand for the octal digits of n, so a stack in a report
// of the race detector shows the number of the goroutine.
func numbered(n int, f func()) {
	if n >= 8 {
		rest := f
		f = func() { numbered(n/8, rest) }
	}
	switch n % 8 {
	case 0:
		f()
	case 1:
		f()
	case 2:
		f()
	case 3:
		f()
	case 4:
		f()
	case 5:
		f()
	case 6:
		f()
	default:
		f()
	}
}

// digits maps lines to digits.
func digits() map[int]int {
	lines := map[int]int{}
	for n := range 8 {
		numbered(n, func() {
			_, _, line, _ := runtime.Caller(1)
			lines[line] = n
		})
	}
	return lines
}
