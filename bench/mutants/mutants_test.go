package mutants

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"pgregory.net/rapid"
)

// Without a bug, no value shows one. With each bug, some do.
func TestBugs(t *testing.T) {
	n := 0
	for _, p := range Programs() {
		n += len(p.Bugs())
		t.Run(p.Name(), p.(interface{ test(t *testing.T) }).test)
	}
	if n < 50 {
		t.Errorf("%d bugs", n)
	}
}

const (
	sound    = 5_000   // values without a bug
	searched = 400_000 // values until all bugs show
)

func (p *program[V]) test(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	left := p.Bugs()
	rapid.Check(t, func(t *rapid.T) {
		if v := p.RapidBuilt(t); !p.Valid(v) || p.finds("", v) {
			t.Fatalf("without a bug, %#v of rapid fails", v)
		}
		if v := p.RapidNaive(t); p.Valid(v) && p.finds("", v) {
			t.Fatalf("without a bug, %#v of rapid fails", v)
		}
	})
	most := long.Count(sound, searched)
	for i := 0; i < most || i < searched && len(left) > 0; i++ {
		v, err := bigen.Value(p.Built, varied.Source(r, i))
		if err != nil {
			t.Fatal(err)
		}
		if !p.Valid(v) {
			t.Fatalf("by construction: %#v", v)
		}
		if i < most && p.finds("", v) {
			t.Fatalf("without a bug, %#v fails", v)
		}
		rest := left[:0]
		for _, bug := range left {
			if !p.finds(bug, v) {
				rest = append(rest, bug)
			}
		}
		left = rest
	}
	for _, bug := range left {
		t.Errorf("nothing finds %q", bug)
	}
}

// The naive generators make all that the others make, and some values that are not valid.
func TestNaive(t *testing.T) {
	for _, p := range Programs() {
		t.Run(p.Name(), p.(interface{ testNaive(t *testing.T) }).testNaive)
	}
}

func (p *program[V]) testNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for i := range 2000 {
		v, err := bigen.Value(p.Built, varied.Source(r, i))
		if err != nil {
			t.Fatal(err)
		}
		if err := bigen.Check(p.Naive, v); err != nil {
			t.Fatalf("%#v: %v", v, err)
		}
		if v, err = bigen.Value(p.Naive, varied.Source(r, i)); err == nil && p.Valid(v) {
			valid++
			if p.finds("", v) {
				t.Fatalf("without a bug, %#v fails", v)
			}
		}
	}
	if valid == 0 || valid == 2000 {
		t.Errorf("%d of 2000 naive values are valid", valid)
	}
}
