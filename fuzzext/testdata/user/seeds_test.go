package user

import (
	"fmt"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"golang.org/x/exp/slices"
)

func FuzzSorted(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) {
		t.Assume(len(v) >= 3 && slices.IsSorted(v))
	}, fuzzext.Variants(0))
}

func FuzzStrict(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) {
		t.Assume(len(v) >= 12)
		for i := range v {
			t.Assume(i == 0 || v[i-1] < v[i])
		}
	}, fuzzext.Variants(0), fuzzext.Examples([]int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}))
}

func FuzzForeignExample(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) {}, fuzzext.Examples([]int{100}))
}

func FuzzPairs(f *testing.F) {
	pairs := map[[4]int]bool{}
	f.Cleanup(func() { fmt.Println(len(pairs), "pairs") })
	seeds := false
	g := bigen.ArrayOf[[4]int](bigen.IntRange(0, 2))
	fuzzext.Fuzz(f, g, func(t *fuzzext.T, v [4]int) {
		if seeds = seeds || t.Name() != "FuzzPairs"; !seeds {
			return
		}
		for i := range v {
			for j := range i {
				pairs[[4]int{i, j, v[i], v[j]}] = true
			}
		}
	}, fuzzext.Variants(0))
}

func FuzzFails(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) {
		if len(v) > 2 {
			t.Error("long")
		}
	}, fuzzext.Variants(0))
}

func FuzzSeedHang(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) {
		if len(v) > 2 {
			select {}
		}
	}, fuzzext.Variants(0))
}

// FuzzAllRejected has a generator that rejects everything.
func FuzzAllRejected(f *testing.F) {
	never := bigen.SuchThat(bigen.IntRange(0, 9), func(int) bool { return false })
	fuzzext.Fuzz(f, never, func(t *fuzzext.T, i int) {})
}

func FuzzSeedGenerator(f *testing.F) {
	g := bigen.Struct(func(c *bigen.C, v *struct{ N int }) {
		bigen.At(c, &v.N, bigen.IntRange(0, 1000))
		if v.N > 900 {
			panic("bad luck")
		}
	})
	fuzzext.Fuzz(f, g, func(t *fuzzext.T, v struct{ N int }) {})
}

func FuzzSeedForward(f *testing.F) {
	g := bigen.Iso(genList, func(v []int) int { return len(v) }, func(n int) ([]int, bool) { return nil, false })
	fuzzext.Fuzz(f, g, func(t *fuzzext.T, n int) {}, fuzzext.Variants(0))
}

func FuzzNothing(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) { t.Assume(false) })
}

func FuzzUses(f *testing.F) {
	fuzzext.Fuzz(f, genList, func(t *fuzzext.T, v []int) {
		t.Setenv("X", "y")
		t.Chdir(t.TempDir())
		if _, err := os.Stat(t.ArtifactDir()); err != nil {
			t.Error(err)
		}
		t.Attr("a", "b")
		t.Log(t.Name(), t.Context().Err())
		fmt.Fprintln(t.Output(), "output")
		if t.Failed() || t.Skipped() {
			t.Error("failed")
		}
		t.Cleanup(func() { t.Label("done") })
	}, fuzzext.Variants(0))
}
