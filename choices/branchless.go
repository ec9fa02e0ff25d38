package choices

// Conditions as numbers, 0 or 1, for code without branches: see bytesSource.

// nonzero returns 1 if x is not 0, else 0.
func nonzero(x uint64) uint64 { return (x | -x) >> 63 }

// equal returns 1 if x equals y, else 0.
func equal(x, y uint64) uint64 { return 1 - nonzero(x^y) }

// choose returns x if cond is 1, y if it is 0.
func choose(cond, x, y uint64) uint64 { return y ^ (x^y)&-cond }
