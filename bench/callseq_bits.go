package main

import (
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

func ourSeqBits(c *callseq.C) {
	bits, model := seqbugs.NewBits(), map[uint]bool{}
	bit := bigen.IntRange[uint](0, 199)
	c.Code("bits := seqbugs.NewBits()")
	c.Op("bits.Set", func() {
		i := callseq.Arg(c, "i", bit)
		model[i] = true
		c.Do(func() { bits.Set(i) })
	})
	c.Op("bits.Clear", func() {
		i := callseq.Arg(c, "i", bit)
		delete(model, i)
		c.Do(func() { bits.Clear(i) })
	})
	c.Op("bits.Flip", func() {
		i := callseq.Arg(c, "i", bit)
		if model[i] {
			delete(model, i)
		} else {
			model[i] = true
		}
		c.Do(func() { bits.Flip(i) })
	})
	c.Op("bits.Test", func() {
		i := callseq.Arg(c, "i", bit)
		c.Want(model[i])
		c.Do(func() { c.Got(bits.Test(i)) })
	})
	c.Op("bits.Count", func() {
		c.Want(uint(len(model)))
		c.Do(func() { c.Got(bits.Count()) })
	})
	c.Op("bits.Reload", func() {
		c.Want(nil)
		c.Do(func() { c.Got(bits.Reload()) })
	})
}

func rapidSeqBits(t *rapid.T) {
	bits, model := seqbugs.NewBits(), map[uint]bool{}
	bit := rapid.UintRange(0, 199)
	t.Repeat(map[string]func(*rapid.T){
		"Set": func(t *rapid.T) {
			i := bit.Draw(t, "i")
			model[i] = true
			bits.Set(i)
		},
		"Clear": func(t *rapid.T) {
			i := bit.Draw(t, "i")
			delete(model, i)
			bits.Clear(i)
		},
		"Flip": func(t *rapid.T) {
			i := bit.Draw(t, "i")
			if model[i] {
				delete(model, i)
			} else {
				model[i] = true
			}
			bits.Flip(i)
		},
		"Test": func(t *rapid.T) {
			i := bit.Draw(t, "i")
			if got, want := bits.Test(i), model[i]; got != want {
				t.Fatalf("Test(%d) is %t; want %t", i, got, want)
			}
		},
		"Count": func(t *rapid.T) {
			if got, want := bits.Count(), uint(len(model)); got != want {
				t.Fatalf("Count is %d; want %d", got, want)
			}
		},
		"Reload": func(t *rapid.T) {
			if err := bits.Reload(); err != nil {
				t.Fatal(err)
			}
		},
	})
}
