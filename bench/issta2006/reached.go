// Package issta2006 has the four containers of Randoop's first experiment (section 3.1, Figure
// 5), which Visser, Păsăreanu and Pelánek introduced at ISSTA 2006: a binary search tree, a
// binomial heap, a Fibonacci heap and a red-black tree. All are written anew. Branches have the
// numbers of the experiment and report the same fingerprints of the nodes at hand, so the
// figures compare: a block is the number of a branch, a predicate is a number with a
// fingerprint. Some branches cannot be reached.
package issta2006

// Blocks and Predicates count what calls have reached since Reset, in all containers.
var Blocks, Predicates int

const (
	branchBits = 6
	printBits  = 14
)

var (
	blocks     [1 << branchBits]bool
	predicates [1 << (branchBits + printBits)]bool
)

// Reset forgets what calls have reached.
func Reset() {
	Blocks, Predicates = 0, 0
	clear(blocks[:])
	clear(predicates[:])
}

// reach notes that a call is at a branch.
func reach(branch int, print uint) {
	if !blocks[branch] {
		blocks[branch] = true
		Blocks++
	}
	if p := &predicates[uint(branch)<<printBits|print]; !*p {
		*p = true
		Predicates++
	}
}

// bits returns a number with one bit for each condition.
func bits(conditions ...bool) (n uint) {
	for _, c := range conditions {
		n <<= 1
		if c {
			n |= 1
		}
	}
	return n
}
