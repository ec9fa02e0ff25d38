package user

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

var genLong = bigen.SliceOf(bigen.IntRange(0, 99), 0, 100)

func notLong(t *fuzzext.T, v []int) {
	if len(v) >= 5 {
		t.Error("too long")
	}
}

func FuzzLong(f *testing.F) {
	fuzzext.Add(f, genLong, []int{1}, []int{2}, []int{3})
	f.Fuzz(fuzzext.Valid(genLong, notLong))
}

func FuzzAlone(f *testing.F) {
	fuzzext.Add(f, genLong, []int{1}, []int{2}, []int{3})
	f.Fuzz(fuzzext.Valid(genLong, notLong, fuzzext.Variants(0)))
}

func FuzzRun(f *testing.F) {
	f.Add([]byte("a seed"))
	home, _ := os.Getwd()
	open := 0
	f.Fuzz(fuzzext.Valid(genLong, func(t *fuzzext.T, v []int) {
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
		if dir, _ := os.Getwd(); dir != home {
			t.Fatal(dir)
		}
		if open != 0 {
			t.Fatal(open)
		}
		open++
		t.Cleanup(func() { open-- })
		t.Chdir(t.TempDir())
		t.Setenv("HOME", "x")
	}))
}

func FuzzFew(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genLong, func(t *fuzzext.T, v []int) {}))
}
