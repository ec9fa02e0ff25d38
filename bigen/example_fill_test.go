package bigen_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// A shift of work ends after it starts.
type shift struct{ From, To int }

var genShift = bigen.Struct(func(c *bigen.C, s *shift) {
	bigen.At(c, &s.From, bigen.IntRange(0, 99))
	bigen.At(c, &s.To, bigen.IntRange(s.From, 99))
})

// Shifts that end where a given one does.
func ExampleFill() {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		s := shift{From: 17, To: 20}
		if err := bigen.Fill(genShift, &s, r, &s.From); err != nil {
			panic(err)
		}
		fmt.Println(s)
	}
	s := shift{From: 17, To: 200}
	fmt.Println(bigen.Fill(genShift, &s, r, &s.From), s)
	// Output:
	// {19 20}
	// {20 20}
	// {7 20}
	// not produced by the generator: at /To: 200 not in [1,99] {17 200}
}

// Lists of shifts. The second ends at 20.
func ExampleFillAround() {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		shifts := []shift{{}, {To: 20}}
		err := bigen.FillAround(bigen.SliceOf(genShift, 1, 3), &shifts, r, &shifts[1].To)
		fmt.Println(shifts, err)
	}
	// Output:
	// [{76 90} {19 20}] <nil>
	// [{39 86} {19 20}] <nil>
	// [{2 34} {3 20}] <nil>
}
