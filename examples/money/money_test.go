package money

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

type order struct {
	Price Cents
	Units int
}

var genOrder = bigen.Struct(func(c *bigen.C, o *order) {
	bigen.At(c, &o.Price, bigen.IntRange(0, Most))
	bigen.At(c, &o.Units, bigen.IntRange(0, 1_000_000))
})

func TestCost(t *testing.T) {
	fuzzext.Check(t, genOrder, func(t *fuzzext.T, o order) {
		if cost, ok := Cost(o.Price, o.Units); ok && cost > Most {
			t.Errorf("%d units cost %d", o.Units, cost)
		}
	})
}

func FuzzCost(f *testing.F) {
	f.Add(int64(250), 3)
	f.Fuzz(func(t *testing.T, price int64, units int) {
		if price >= 0 && units >= 0 {
			Cost(Cents(price), units)
		}
	})
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		price Cents
		units int
		cost  Cents
		ok    bool
	}{
		{250, 3, 750, true},
		{Most, 1, Most, true},
		{Most/2 + 1, 2, 0, false},
		{Most + 1, 1, 0, false},
	} {
		if cost, ok := Cost(c.price, c.units); cost != c.cost || ok != c.ok {
			t.Errorf("%d units at %d cost %d, %t", c.units, c.price, cost, ok)
		}
	}
}
