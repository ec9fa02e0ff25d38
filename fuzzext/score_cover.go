package fuzzext

// coverAltitude makes a run cover code that no run with lower scores has covered. So Go's
// fuzzer, which knows coverage only, keeps its input, as in "IJON: Exploring Deep State Spaces
// via Fuzzing" (Aschermann et al., S&P 2020). Each case is code of its own. The fuzzer
// distinguishes how often code runs by powers of two, so each case stands for eight altitudes.
func coverAltitude(altitude int) {
	for range 1 << (altitude % 8) {
		switch altitude / 8 {
		case 0:
		case 1:
		case 2:
		case 3:
		case 4:
		case 5:
		case 6:
		case 7:
		case 8:
		case 9:
		case 10:
		case 11:
		case 12:
		case 13:
		case 14:
		case 15:
		case 16:
		case 17:
		case 18:
		case 19:
		case 20:
		case 21:
		case 22:
		case 23:
		case 24:
		case 25:
		case 26:
		case 27:
		case 28:
		case 29:
		case 30:
		case 31:
		}
	}
}
