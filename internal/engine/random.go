package engine

import "math/bits"

// random is a pseudo-random number generator: splitmix64.
type random struct{ state uint64 }

func (r *random) bits() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// n returns a number below n, or 0 if n is not positive.
func (r *random) n(n int) int {
	if n <= 0 {
		return 0
	}
	high, _ := bits.Mul64(r.bits(), uint64(n))
	return int(high)
}

// oneIn reports true once in n times.
func (r *random) oneIn(n int) bool { return r.n(n) == 0 }

// length returns a length, 1 to n, mostly a short one; 0 if n is not positive.
func (r *random) length(n int) int {
	if n <= 0 {
		return 0
	}
	most := n
	switch x := r.n(100); {
	case x < 50:
		most = min(4, n)
	case x < 90:
		most = min(16, n)
	case x < 99:
		most = min(64, n)
	}
	return 1 + r.n(most)
}

// mix returns a hash of x.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
