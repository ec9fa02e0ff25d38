package user

import (
	"fmt"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"golang.org/x/exp/slices"
)

// hits fails for large numbers. Each line that it prints is a stop of a debugger.
func hits(t *fuzzext.T, v []int) {
	fmt.Printf("hit in %s\n", t.Name())
	t.Assume(os.Getenv("LENGTH") == "" || len(v) > 1)
	if large := slices.Max(append(v, 0)); large >= 1000 && os.Getenv("FIXED") == "" {
		t.Errorf("%d is too large", large)
	} else if large >= 100 && os.Getenv("FIXED") == "" {
		t.Errorf("%d is large", large)
	}
}

var genHits = bigen.SliceOf(bigen.IntRange(0, 2000), 0, 20)

func TestHits(t *testing.T) { fuzzext.Check(t, genHits, hits) }

func TestHitsWithin(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a/b", "c d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fuzzext.Check(t, genHits, hits)
		})
	}
	t.Run("other", func(t *testing.T) { fmt.Println("other") })
}

func TestHitsBeside(t *testing.T) {
	fuzzext.Check(t, genHits, hits)
	t.Run("other", func(t *testing.T) { fmt.Println("other") })
}

func FuzzHits(f *testing.F) { fuzzext.Fuzz(f, genHits, hits) }
