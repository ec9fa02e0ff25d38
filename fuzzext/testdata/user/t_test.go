package user

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

var _ testing.TB = (*fuzzext.T)(nil)

// The fuzz function is called by hand, so that it is known how often it runs.
func FuzzRuns(f *testing.F) {
	home, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	var order []string
	var dir string
	f.Add([]byte(nil))
	fn := fuzzext.Valid(bigen.IntRange(0, 99), func(t *fuzzext.T, v int) {
		if wd, err := os.Getwd(); err != nil || wd != home {
			t.Errorf("in %s, %v", wd, err)
		}
		if os.Getenv("FUZZEXT_TEST") != "" {
			t.Error("the variable is set")
		}
		ctx := t.Context()
		order = nil
		t.Cleanup(func() {
			if ctx.Err() == nil {
				t.Error("the context is not canceled")
			}
			order = append(order, "first")
		})
		t.Cleanup(func() { order = append(order, "last") })
		dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
			t.Error(err)
		}
		t.Setenv("FUZZEXT_TEST", "set")
		t.Chdir(dir)
		if os.Getenv("FUZZEXT_TEST") != "set" {
			t.Error("the variable is not set")
		}
		assert.Equal(t, "FuzzRuns/seed#0", t.Name())
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 3 {
			fn(t, b)
			assert.Equal(t, []string{"last", "first"}, order)
			assert.NoDirExists(t, dir)
		}
	})
}

func FuzzInvalid(f *testing.F) {
	fuzzext.Add(f, bigen.IntRange(0, 99), 7, 8)
	f.Fuzz(fuzzext.Valid(bigen.IntRange(0, 99), func(t *fuzzext.T, v int) {
		t.Assume(v%2 == 0)
		if v%2 != 0 {
			t.Error("odd")
		}
	}))
}

func FuzzRejected(f *testing.F) {
	f.Add([]byte("a"))
	never := bigen.SuchThat(bigen.Bool(), func(bool) bool { return false })
	f.Fuzz(fuzzext.Valid(never, func(t *fuzzext.T, v bool) { t.Error("run") }))
}

func FuzzLeave(f *testing.F) {
	words := bigen.SliceOf(bigen.String(10), 0, 5)
	fuzzext.Add(f, words, []string{"leave"})
	f.Fuzz(fuzzext.Valid(words, func(t *fuzzext.T, v []string) { os.Exit(3) }))
}
