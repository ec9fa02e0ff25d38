package engine

// A Flicker knows which counters differ between two runs of one input. Their code depends on the
// order of a map, on time, on goroutines, or on what ran before. The zero value knows none.
type Flicker struct {
	gone  []byte  // by counter: the bits that only one of two runs had
	times []uint8 // by counter: how often two runs differed, at most flickers
	count int     // of counters that have differed so often
}

// flickers is how often two runs must differ in a counter before it counts as one that flickers.
// Code that fills a cache makes them differ once.
const flickers = 2

// Compare compares the counters of two runs of one input, where known has the bits that are known
// of each counter. Bits that only one of the runs has become known, and leave again. If both runs
// reach code that is not known, but not as often, again has reached it once. A counter that flickers
// tells only whether code was reached.
func (f *Flicker) Compare(first, again, known []byte) {
	n := min(len(first), len(again), len(known))
	if f.gone == nil {
		f.gone, f.times = make([]byte, n), make([]uint8, n)
	}
	for i := range min(n, len(f.gone)) {
		one, two := Round(first[i]), Round(again[i])
		if one == two {
			continue
		}
		if f.times[i] < flickers {
			if f.times[i]++; f.times[i] == flickers {
				f.count++
			}
		}
		bits := one | two
		again[i] = 0
		if one != 0 && two != 0 {
			if known[i] == 0 {
				again[i] = 1
			}
			if f.times[i] == flickers {
				bits = 0xff
			}
			bits &^= 1
		}
		f.gone[i] |= bits
		known[i] |= bits
	}
}

// Clear removes the bits that flicker from rounded counters.
func (f *Flicker) Clear(counters []byte) {
	for i, bits := range f.gone[:min(len(f.gone), len(counters))] {
		counters[i] &^= bits
	}
}

// Count returns how many counters flicker.
func (f *Flicker) Count() int { return f.count }
