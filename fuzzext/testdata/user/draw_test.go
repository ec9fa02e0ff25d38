package user_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/draw"
	"github.com/espalier-go/espalier/fuzzext"
	"golang.org/x/exp/slices"
)

// above draws a list, which it sorts, and positions in it.
var above = draw.Property(func(t *draw.T) {
	list := draw.From(t, "list", bigen.SliceOf(bigen.IntRange(0, 99), 1, 9))
	slices.Sort(list)
	for range draw.From(t, "n", bigen.IntRange(0, 5)) {
		i := draw.From(t, "i", bigen.IntRange(0, len(list)-1))
		if i > 1 && list[i] > 50 {
			t.Errorf("%d is at %d", list[i], i)
		}
	}
})

func TestDraw(t *testing.T) { fuzzext.Sequence(t, above) }

func FuzzDraw(f *testing.F) { fuzzext.Sequence(f, above) }

func TestDrawExample(t *testing.T) {
	fuzzext.Sequence(t, above, fuzzext.Checks(1), fuzzext.Examples([]draw.Value{
		{Name: "list", Value: []int{60, 70, 80}}, {Name: "n", Value: 1}, {Name: "i", Value: 2},
	}))
}

func TestDrawAssume(t *testing.T) {
	fuzzext.Sequence(t, draw.Property(func(t *draw.T) {
		n := draw.From(t, "n", bigen.IntRange(0, 1000))
		t.Assume(n%2 == 0)
		t.Label("even")
		if n%2 == 1 {
			t.Class("odd")
			t.Errorf("%d is odd", n)
		}
	}))
}

func TestDrawPanic(t *testing.T) {
	fuzzext.Sequence(t, draw.Property(func(t *draw.T) {
		list := draw.From(t, "list", bigen.SliceOf(bigen.Bool(), 0, 9))
		_ = list[draw.From(t, "i", bigen.IntRange(0, 9))]
	}))
}
