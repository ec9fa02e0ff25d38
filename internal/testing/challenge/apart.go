package challenge

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// apart returns challenges whose integers must keep their differences.
func apart() []Challenge {
	natural := bigen.SliceOf(bigen.IntRange(0, 9999), 0, 20)
	signed := bigen.SliceOf(bigen.IntRange(-9999, 9999), 0, 20)
	offset := bigen.SliceOf(bigen.IntRange(100, 9999), 0, 20)
	unsigned := bigen.SliceOf(bigen.IntRange[uint](0, 9999), 0, 20)
	slices2 := bigen.ArrayOf[[2][]int](natural)
	trees := bigen.ArrayOf[[2]shown](bigen.Iso(bsttest.Gen(0, 9999), show, unshow))

	var all []Challenge
	for n := 2; n <= 5; n++ {
		all = append(all, from(fmt.Sprint("apart/run of ", n), natural, func(r *rand.Rand) []int {
			return around(run(1+r.IntN(9990), n), 0, r)
		}, func(l []int) bool { return runAt(l, n) >= 0 }, fmt.Sprint(run(0, n))))
	}
	return append(all,
		from("apart/only a run", natural, func(r *rand.Rand) []int { return run(1+r.IntN(9990), 3) },
			func(l []int) bool { return len(l) == 3 && runAt(l, 3) == 0 }, "[0 1 2]"),
		from("apart/unsigned", unsigned, func(r *rand.Rand) []uint { return run(1+r.UintN(9990), 4) },
			func(l []uint) bool { return runAt(l, 4) >= 0 }, "[0 1 2 3]"),
		from("apart/negative", signed,
			func(r *rand.Rand) []int { return around(run(-9999+r.IntN(9990), 4), -9999, r) },
			func(l []int) bool { return runAt(l, 4) >= 0 }, "[0 1 2 3]"),
		from("apart/below 0", signed, func(r *rand.Rand) []int {
			return around(run(-9999+r.IntN(9990), 4), -9999, r)
		},
			func(l []int) bool { i := runAt(l, 4); return i >= 0 && l[i] < -4 }, "[-5 -4 -3 -2]"),
		from("apart/offset", offset, func(r *rand.Rand) []int {
			return around(run(101+r.IntN(9800), 4), 100, r)
		},
			func(l []int) bool { return runAt(l, 4) >= 0 }, "[100 101 102 103]"),
		from("apart/from 7", natural, func(r *rand.Rand) []int {
			return around(run(7+r.IntN(9900), 4), 0, r)
		},
			func(l []int) bool { i := runAt(l, 4); return i >= 0 && l[i] >= 7 }, "[7 8 9 10]"),
		from("apart/beside a large", natural, func(r *rand.Rand) []int {
			return append([]int{9000 + r.IntN(999)}, run(1000+r.IntN(3000), 3)...)
		}, func(l []int) bool { return len(l) == 4 && l[0] >= 5000 && runAt(l, 3) == 1 }, "[5000 0 1 2]"),
		from("apart/above a small", natural, func(r *rand.Rand) []int {
			return append([]int{5}, run(1000+r.IntN(3000), 3)...)
		}, func(l []int) bool { return len(l) == 4 && l[0] == 5 && runAt(l, 3) == 1 && l[1] > 5 },
			"[5 7 8 9]"),
		from("apart/two slices", slices2, func(r *rand.Rand) [2][]int {
			l := run(1+r.IntN(9990), 3)
			return [2][]int{around(l, 0, r), around(reversedInts(l), 0, r)}
		}, func(l [2][]int) bool {
			i, j := runAt(l[0], 3), runAt(reversedInts(l[1]), 3)
			return i >= 0 && j >= 0 && l[0][i] == reversedInts(l[1])[j]
		}, "[[0 1 2] [2 1 0]]"),
		from("apart/two trees", trees, func(r *rand.Rand) [2]shown {
			k := 1 + r.IntN(9990)
			return [2]shown{show(branches(k)), show(branches(k + 1))}
		}, func(t [2]shown) bool {
			for i := range t {
				if t[i].Tree == nil || t[i].String() != show(branches(t[0].X-2+i)).String() {
					return false
				}
			}
			return true
		}, "[((. 0 .) 2 (. 4 .)) ((. 1 .) 3 (. 5 .))]"))
}

// branches returns the tree of k, k+2, which is the root, and k+4.
func branches(k int) *bsttest.Tree {
	return &bsttest.Tree{L: &bsttest.Tree{X: k}, X: k + 2, R: &bsttest.Tree{X: k + 4}}
}

// run returns n integers from k on.
func run[N int | uint](k N, n int) (l []N) {
	for range n {
		l, k = append(l, k), k+1
	}
	return l
}

// runAt returns where the first n integers stand that are each 1 above the one before,
// -1 if there are none.
func runAt[N int | uint](l []N, n int) int {
	length := 0
	for i := range l {
		if length++; i > 0 && l[i] != l[i-1]+1 {
			length = 1
		}
		if length == n {
			return i - n + 1
		}
	}
	return -1
}

// around puts up to four integers, from least to 9999, before l, and as many after it.
func around(l []int, least int, r *rand.Rand) []int {
	some := func() (l []int) {
		for range r.IntN(5) {
			l = append(l, least+r.IntN(10_000-least))
		}
		return l
	}
	return append(append(some(), l...), some()...)
}

func reversedInts(l []int) []int {
	l = slices.Clone(l)
	for i, j := 0, len(l)-1; i < j; i, j = i+1, j-1 {
		l[i], l[j] = l[j], l[i]
	}
	return l
}
