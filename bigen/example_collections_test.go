package bigen_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// Equal maps have equal choices.
func ExampleMapOf() {
	ages := bigen.MapOf(bigen.String(10), bigen.IntRange(0, 120), 0, 100)
	fmt.Println(bigen.Choices(ages, map[string]int{"eve": 33, "bob": 44}))
	fmt.Println(bigen.Check(ages, map[string]int{"eve": 333}))
	// Output:
	// more("bob", 44), more("eve", 33), stop <nil>
	// not produced by the generator: at /["eve"]: 333 not in [0,120]
}

// A number and one of its divisors.
func ExampleMapBy() {
	divisors := bigen.MapBy(bigen.IntRange(1, 50), func(n int) bigen.Gen[int] {
		return bigen.SuchThat(bigen.IntRange(1, n), func(d int) bool { return n%d == 0 }, 1)
	}, 2, 4)
	fmt.Println(bigen.Sample(divisors, rand.New(rand.NewPCG(1, 5))))
	fmt.Println(bigen.Check(divisors, map[int]int{8: 4, 9: 4}))
	// Output:
	// map[40:10 49:7]
	// not produced by the generator: at /[9]: 4 does not pass the test of the SuchThat
}

func ExampleSetOf() {
	primes := bigen.SetOf(bigen.Pick(bigen.Tag(
		"two", bigen.Just(2),
	), bigen.Tag("three", bigen.Just(3)), bigen.Tag("five", bigen.Just(5))), 0, 3)
	fmt.Println(bigen.Choices(primes, map[int]struct{}{5: {}, 2: {}}))
	// Output:
	// more(two), more(five), stop <nil>
}

// No two dates of the same month.
func ExampleDistinctBy() {
	gen := bigen.DistinctBy(genDate, func(d Date) int { return d.Month }, 2, 4)
	fmt.Println(bigen.Sample(gen, rand.New(rand.NewPCG(1, 1))))
	fmt.Println(bigen.Check(gen, []Date{{2000, 1, 1}, {2001, 2, 1}, {2002, 1, 1}}))
	// Output:
	// [{2010 11 28} {2093 10 4} {2029 5 31}]
	// not produced by the generator: at /2: has the key of element 0
}

func ExampleArrayOf() {
	ip := bigen.ArrayOf[[4]byte](bigen.IntRange[byte](0, 255))
	fmt.Println(bigen.Choices(ip, [4]byte{127, 0, 0, 1}))
	// Output:
	// 127, 0, 0, 1 <nil>
}

// Each choice takes one of the values that remain.
func ExamplePermutation() {
	gen := bigen.Permutation("a", "b", "c", "d")
	fmt.Println(bigen.Choices(gen, []string{"a", "b", "c", "d"}))
	fmt.Println(bigen.Choices(gen, []string{"c", "a", "b", "d"}))
	fmt.Println(bigen.Check(gen, []string{"c", "a", "c", "d"}))
	// Output:
	// 0, 0, 0 <nil>
	// 2, 0, 0 <nil>
	// not produced by the generator: at /: "c" is not one of the values, or is there too often
}

func ExampleSubset() {
	flags := bigen.Subset("-v", "-race", "-short")
	fmt.Println(bigen.Choices(flags, []string{"-v", "-short"}))
	fmt.Println(bigen.Check(flags, []string{"-short", "-v"}))
	// Output:
	// in, out, in <nil>
	// not produced by the generator: at /: "-v" is not one of the values after the element before it
}

func ExamplePtr() {
	five := 5
	fmt.Println(bigen.Choices(bigen.Ptr(bigen.IntRange(0, 9)), nil))
	fmt.Println(bigen.Choices(bigen.Ptr(bigen.IntRange(0, 9)), &five))
	// Output:
	// nil <nil>
	// ptr(5) <nil>
}

// A graph without cycles: each node refers to earlier ones.
func ExampleSliceBy() {
	graph := bigen.SliceBy(func(prev [][]int) (bigen.Gen[[]int], bool) {
		if len(prev) == 0 {
			return bigen.Just[[]int](nil), true
		}
		return bigen.Distinct(bigen.IntRange(0, len(prev)-1), 0, len(prev)), true
	}, 1, 10)
	fmt.Println(bigen.Sample(graph, rand.New(rand.NewPCG(1, 3))))
	fmt.Println(bigen.Check(graph, [][]int{nil, {0}, {2}}))
	// Output:
	// [[] [0] [0 1] [0 1] [] [2 1 3 0] [2 1] [4 5 1 6 3] [6 4 5 0]]
	// not produced by the generator: at /2/0: 2 not in [0,1]
}

// Expressions with about 5 operators, however they branch.
func ExampleRecursive() {
	gen := bigen.Recursive(
		bigen.Pick(bigen.Case[Expr]("num", bigen.IntRange[Num](0, 9))),
		func(self bigen.Gen[Expr]) bigen.Gen[Expr] {
			return bigen.Pick(
				bigen.Case[Expr]("add", bigen.Struct(func(c *bigen.C, e *Add) {
					bigen.At(c, &e.X, self)
					bigen.At(c, &e.Y, self)
				})),
				bigen.Case[Expr]("mul", bigen.Struct(func(c *bigen.C, e *Mul) {
					bigen.At(c, &e.X, self)
					bigen.At(c, &e.Y, self)
				})),
			)
		}, 5)
	r := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		fmt.Println(bigen.Sample(gen, r))
	}
	fmt.Println(bigen.Choices(gen, Expr(Add{Num(1), Num(2)})))
	// Output:
	// (8 * 2 + 3)
	// ((2 + 7) + 7)
	// (((5 + (2 + 1)) + 9) + (8 * 2 * 2 + 7) * 9 * (9 + (5 + 4)))
	// step(add(base(num(1)), base(num(2)))) <nil>
}
