package user

import (
	"os"
	"strconv"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

func FuzzTwice(f *testing.F) {
	variants, err := strconv.Atoi(os.Getenv("VARIANTS"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(fuzzext.Valid(bigen.SliceOf(bigen.IntRange(0, 1_000_000), 0, 20), func(t *fuzzext.T, v []int) {
		seen := map[int]bool{}
		for _, n := range v {
			if n >= 100 && seen[n] {
				t.Errorf("%d twice", n)
				return
			}
			seen[n] = true
		}
	}, fuzzext.Variants(variants)))
}
