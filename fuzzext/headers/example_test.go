package headers_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/fuzzext/headers"
)

type config struct {
	Name  string
	Ports []uint16
}

func check(t testing.TB, c config) {
	if len(c.Ports) > 0 && c.Name == "" {
		t.Errorf("ports without a name: %v", c.Ports)
	}
}

// The target of a fuzz function that called GenerateStruct. Old entries of testdata/fuzz remain
// what they were, until corpusgen recode -w rewrites them.
func ExampleValid() {
	// In a _test.go file this is func FuzzConfig(f *testing.F).
	_ = func(f *testing.F) {
		f.Fuzz(headers.Valid(bigen.For[config](), func(t *fuzzext.T, c config) { check(t, c) }))
	}
}

// Inputs that are kept elsewhere become seeds.
func ExampleAdd() {
	// In a _test.go file this is func FuzzConfig(f *testing.F).
	_ = func(f *testing.F) {
		headers.Add(f, bigen.For[config](), []byte("an input of the old target"))
		f.Fuzz(fuzzext.Valid(bigen.For[config](), func(t *fuzzext.T, c config) { check(t, c) }))
	}
}
