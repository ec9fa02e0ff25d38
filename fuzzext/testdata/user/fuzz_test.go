package user_test

import (
	"flag"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

func FuzzSum(f *testing.F) {
	f.Fuzz(fuzzext.Valid(bigen.SliceOf(bigen.IntRange(0, 1000), 0, 20), func(t *fuzzext.T, v []int) {
		sum := 0
		for _, n := range v {
			sum += n
		}
		if sum >= 100 {
			t.Errorf("the sum is %d", sum)
		}
	}))
}

func FuzzFine(f *testing.F) {
	f.Fuzz(fuzzext.Valid(bigen.String(100), func(t *fuzzext.T, s string) {
		if len([]rune(s)) > 100 {
			t.Error("too long")
		}
	}))
}

var small = fuzzext.Valid(bigen.IntRange(0, 1000), func(t *fuzzext.T, n int) {
	os.Chdir("elsewhere")
	if n > 400 {
		t.Error("large")
	}
})

func FuzzAway(f *testing.F) { f.Fuzz(small) }

func FuzzTime(f *testing.F) {
	fn := fuzzext.Valid(bigen.Bool(), func(t *fuzzext.T, b bool) {})
	worker := flag.Lookup("test.fuzzworker").Value.String() == "true"
	if got := flag.Lookup("test.fuzzminimizetime").Value.String(); !worker && got != os.Getenv("MINIMIZE") {
		f.Fatalf("the engine minimizes for %s", got)
	}
	f.Fuzz(fn)
}

func FuzzAnother(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {})
}
