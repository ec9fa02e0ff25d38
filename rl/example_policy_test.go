package rl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// Learn which dates exist, save the policy, and make bytes decode to dates that exist.
func ExamplePolicy() {
	type date struct{ Day, Month int }
	gen := bigen.Struct(func(c *bigen.C, d *date) {
		bigen.At(c, &d.Month, bigen.IntRange(0, 99))
		bigen.At(c, &d.Day, bigen.IntRange(0, 99))
	})
	days := []int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	valid := func(d date) bool {
		return 1 <= d.Month && d.Month <= len(days) && 1 <= d.Day && d.Day <= days[d.Month-1]
	}

	guide := rl.New(rand.New(rand.NewPCG(1, 2)))
	for range 3000 {
		if d, err := bigen.Value(gen, guide.Begin()); err == nil && valid(d) {
			guide.Valid(guide.Input())
		} else {
			guide.Invalid()
		}
	}
	dir, err := os.MkdirTemp("", "policy")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "date.policy")
	learned, err := guide.Policy()
	if err != nil {
		panic(err)
	}
	if err := learned.Save(file); err != nil {
		panic(err)
	}

	policy, err := rl.LoadPolicy(file)
	if err != nil {
		panic(err)
	}
	prior := policy.Prior()
	var without, with int
	for i := range 1000 {
		b := fmt.Append(nil, i)
		if d, err := bigen.Decode(gen, b); err == nil && valid(d) {
			without++
		}
		d, err := bigen.Value(gen, choices.FromBytesBy(b, prior))
		if err != nil || !valid(d) {
			continue
		}
		with++

		// The encoding leaves nothing open, so it needs no policy.
		e, err := bigen.Encode(gen, d)
		if err != nil {
			panic(err)
		}
		if same, err := bigen.Decode(gen, e); err != nil || same != d {
			panic("another date")
		}
	}
	fmt.Println("more than 1 in 20 is valid without the policy:", without > 1000/20)
	fmt.Println("more than half are with it:", with > 1000/2)
	// Output:
	// more than 1 in 20 is valid without the policy: false
	// more than half are with it: true
}
