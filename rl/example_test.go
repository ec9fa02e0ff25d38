package rl_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
	"golang.org/x/exp/slices"
)

// Ascending lists, from a generator that does not know the order.
func Example() {
	gen := bigen.SliceOf(bigen.IntRange(0, 99), 0, 8)
	ascends := func(list []int) bool { return len(list) >= 4 && slices.IsSorted(list) }

	random, guided := map[string]bool{}, map[string]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	guide := rl.New(r)
	for range 5000 {
		if v, err := bigen.Value(gen, choices.Random(r)); err == nil && ascends(v) {
			random[fmt.Sprint(v)] = true
		}
		if v, err := bigen.Value(gen, guide.Begin()); err == nil && ascends(v) {
			guide.Valid(guide.Input())
			guided[fmt.Sprint(v)] = true
		} else {
			guide.Invalid()
		}
	}
	fmt.Println("ten times as many:", len(guided) > 10*len(random))
	// Output:
	// ten times as many: true
}

// A custom state for the paper's policy: the last answer, and the number of influences.
func ExampleMonteCarlo() {
	last := func(p *rl.Path) uint64 {
		state := uint64(len(p.Influences()))
		if a := p.Answers(); len(a) > 0 {
			state ^= a[len(a)-1]
		}
		return state
	}
	guide := rl.New(rand.New(rand.NewPCG(1, 2)),
		rl.MonteCarlo(0.25, last, rl.Rewards{Unique: 20, Valid: 0, Invalid: -1}))

	gen := bigen.SliceOf(bigen.IntRange(0, 9), 0, 8)
	valid := 0
	for range 2000 {
		v, err := bigen.Value(gen, guide.Begin())
		if err != nil || !slices.IsSorted(v) {
			guide.Invalid()
			continue
		}
		valid++
		guide.Valid(guide.Input())
	}
	fmt.Println("most are valid:", valid > 1000)
	// Output:
	// most are valid: true
}
