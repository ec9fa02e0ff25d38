package archive

import "math/bits"

// Classes is how many classes of sizes there are, two for each power of two, so that collections
// can keep values of every size.
const Classes = 2 * bits.UintSize

// ClassOf returns the class of a size, from 0: the class of 0, 1, 2, 3, 4 to 5, 6 to 7, 8 to 11,
// and so on. size is not negative.
func ClassOf(size int) int {
	n := bits.Len(uint(size))
	if n < 2 {
		return n
	}
	return 2*n - 2 + size>>(n-2)&1
}
