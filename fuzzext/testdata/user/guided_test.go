package user

import (
	"fmt"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"golang.org/x/exp/slices"
)

var genList = bigen.SliceOf(bigen.IntRange(0, 99), 0, 20)

func sorted(least int) func(t *fuzzext.T, v []int) {
	return func(t *fuzzext.T, v []int) {
		t.Assume(len(v) >= least && slices.IsSorted(v))
		if len(v) > 5 {
			t.Label("long")
		}
	}
}

func TestGuidedPass(t *testing.T) { fuzzext.Check(t, genList, sorted(2)) }

func TestMild(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) { t.Assume(len(v) > 0) })
}

func TestPlain(t *testing.T) { fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) {}) }

func TestUnique(t *testing.T) {
	fuzzext.Check(t, genList, sorted(2), fuzzext.Unique(func(v []int) bool { return len(v) > 3 }))
}

func TestUniqueType(t *testing.T) {
	fuzzext.Check(t, genList, sorted(2), fuzzext.Unique(func(v int) bool { return v > 3 }))
}

func TestUniquePanics(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) { t.Assume(len(v)%2 == 0) }, fuzzext.Unique(func(v []int) int { return v[len(v)] }))
}

func TestGuidedPrint(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) {
		fmt.Println(v)
		t.Assume(len(v) >= 2 && slices.IsSorted(v))
	})
}

func TestFail(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) {
		t.Assume(slices.IsSorted(v))
		if len(v) >= 4 && v[3] >= 50 && os.Getenv("FIXED") == "" {
			t.Error("the fourth is large")
		}
	})
}

func strict(t *fuzzext.T, v []int) {
	t.Assume(len(v) >= 19)
	for i := range v {
		t.Assume(i == 0 || v[i-1] < v[i])
	}
}

func TestStrict(t *testing.T) { fuzzext.Check(t, genList, strict) }

func TestStrictExample(t *testing.T) {
	fuzzext.Check(t, genList, strict, fuzzext.Examples([]int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39}))
}

func TestGuidedRejects(t *testing.T) {
	small := bigen.SuchThat(bigen.IntRange(0, 1<<40), func(n int) bool { return n < 1<<30 })
	fuzzext.Check(t, bigen.SliceOf(small, 0, 3), func(t *fuzzext.T, v []int) {})
}

func TestGuidedHang(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) {
		t.Assume(len(v) > 1 && slices.IsSorted(v))
		if v[0] > 30 {
			select {}
		}
	})
}

func TestGuidedGenerator(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, v *struct{ N int }) {
		bigen.At(c, &v.N, bigen.IntRange(0, 1000))
		if v.N > 990 {
			panic("bad luck")
		}
	})
	fuzzext.Check(t, g, func(t *fuzzext.T, v struct{ N int }) { t.Assume(v.N%2 == 0) })
}

func FuzzUnique(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genList, sorted(0), fuzzext.Unique(func(v []int) int { return len(v) })))
}
