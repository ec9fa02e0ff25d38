package fuzzext

// coverAltitude makes a run cover code that no run with lower scores has covered. So Go's
// fuzzer, which knows coverage only, keeps its input, as in "IJON: Exploring Deep State Spaces
// via Fuzzing" (Aschermann et al., S&P 2020). The fuzzer distinguishes how often code runs by
// powers of two: so each loop stands for eight altitudes.
func coverAltitude(altitude int) {
	n := 1 << (altitude % 8)
	switch altitude / 8 {
	case 0:
		for range n {
		}
	case 1:
		for range n {
		}
	case 2:
		for range n {
		}
	case 3:
		for range n {
		}
	case 4:
		for range n {
		}
	case 5:
		for range n {
		}
	case 6:
		for range n {
		}
	case 7:
		for range n {
		}
	case 8:
		for range n {
		}
	case 9:
		for range n {
		}
	case 10:
		for range n {
		}
	case 11:
		for range n {
		}
	case 12:
		for range n {
		}
	case 13:
		for range n {
		}
	case 14:
		for range n {
		}
	case 15:
		for range n {
		}
	case 16:
		for range n {
		}
	case 17:
		for range n {
		}
	case 18:
		for range n {
		}
	case 19:
		for range n {
		}
	case 20:
		for range n {
		}
	case 21:
		for range n {
		}
	case 22:
		for range n {
		}
	case 23:
		for range n {
		}
	case 24:
		for range n {
		}
	case 25:
		for range n {
		}
	case 26:
		for range n {
		}
	case 27:
		for range n {
		}
	case 28:
		for range n {
		}
	case 29:
		for range n {
		}
	case 30:
		for range n {
		}
	case 31:
		for range n {
		}
	}
}
