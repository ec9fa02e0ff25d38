package user

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

type config struct {
	Name  string
	Ports []uint16
	Debug *bool
}

var genConfig = bigen.Struct(func(c *bigen.C, v *config) {
	bigen.At(c, &v.Name, bigen.String(20))
	bigen.At(c, &v.Ports, bigen.SliceOf(bigen.IntRange[uint16](1, 65535), 0, 10))
	bigen.At(c, &v.Debug, bigen.Pick(
		bigen.Tag("unset", bigen.Nil[bool]()),
		bigen.Tag("set", bigen.Iso(bigen.Bool(), func(b bool) *bool { return &b }, func(p *bool) (bool, bool) {
			if p == nil {
				return false, false
			}
			return *p, true
		})),
	))
})

var yes = true

// seed is far from minimal.
var seed = config{Name: "production-4", Ports: []uint16{80, 443, 8080, 9999, 443}, Debug: &yes}

func FuzzError(f *testing.F) {
	fuzzext.Add(f, genConfig, config{}, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		t.Log("checking", len(v.Ports), "ports")
		for i, p := range v.Ports {
			if p >= 1024 {
				t.Errorf("port %d is %d:\nnot privileged", i, p)
			}
		}
	}, fuzzext.Variants(0)))
}

func FuzzRequire(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		require.Less(t, len(v.Name), 5, "the name is long")
	}, fuzzext.Variants(0)))
}

func FuzzPanic(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		if v.Debug != nil && len(v.Ports) > 1 {
			var m map[string]int
			m[v.Name] = 1
		}
	}, fuzzext.Variants(0)))
}

var runs int

func FuzzFlaky(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		if runs++; runs == 1 {
			t.Fatal("the first run fails")
		}
	}, fuzzext.Variants(0)))
}

// A smaller value fails, too, but elsewhere: that is another failure.
func FuzzPlaces(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		switch {
		case len(v.Ports) == 0:
			t.Error("no port")
		case len(v.Name) > 8:
			fail(t)
		}
	}, fuzzext.Variants(0)))
}

func fail(t *fuzzext.T) {
	t.Helper()
	t.Error("a long name")
}

func FuzzGoexit(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		runtime.Goexit()
	}, fuzzext.Variants(0)))
}

func FuzzWhole(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		if strings.Contains(v.Name, "4") {
			t.Fail()
		}
	}, fuzzext.Shrinks(0)))
}

// The generator panics for some values.
func FuzzGenerator(f *testing.F) {
	type pair struct{ N, M int }
	gen := bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.N, bigen.IntRange(0, 100))
		bigen.At(c, &p.M, bigen.IntRange(10, p.N))
	})
	fuzzext.Add(f, gen, pair{50, 20})
	f.Fuzz(fuzzext.Valid(gen, func(t *fuzzext.T, p pair) { t.Error("failed") }, fuzzext.Variants(0)))
}

// All functions are helpers.
func FuzzHelper(f *testing.F) {
	fuzzext.Add(f, bigen.IntRange(0, 100), 77)
	f.Fuzz(fuzzext.Valid(bigen.IntRange(0, 100), func(t *fuzzext.T, n int) {
		t.Helper()
		if n < 5 {
			t.Error("another failure")
		} else if n > 50 {
			t.Error("the failure")
		}
	}, fuzzext.Variants(0)))
}

func TestCheck(t *testing.T) {
	fuzzext.Check(t, genConfig, func(t *fuzzext.T, v config) {
		if len(v.Ports) > 0 {
			t.Label("with ports")
		}
		if v.Debug != nil {
			t.Label("with debug set")
		}
		for _, p := range v.Ports {
			if p >= 1024 && v.Debug != nil {
				t.Errorf("port %d is not privileged", p)
			}
		}
	})
}

func FuzzForeign(f *testing.F) {
	fuzzext.Add(f, genConfig, config{Ports: []uint16{80, 0}})
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {}))
}

// A smaller value fails in the same place, but in another class.
func FuzzOfClass(f *testing.F) {
	fuzzext.Add(f, genConfig, seed)
	f.Fuzz(fuzzext.Valid(genConfig, func(t *fuzzext.T, v config) {
		if len(v.Ports) > 0 {
			t.Class("with ports")
		} else {
			t.Class("without ports")
		}
		t.Error("failed")
	}, fuzzext.Variants(0)))
}

// The generator is not a function of its choices.
func TestVarying(t *testing.T) {
	made := 0
	gen := bigen.Struct(func(c *bigen.C, v *config) {
		bigen.At(c, &v.Name, bigen.String(9))
		made++
		v.Ports = []uint16{uint16(made)}
	})
	fuzzext.Check(t, gen, func(t *fuzzext.T, v config) {
		if v.Ports[0]/8 == 2 {
			t.Fatal("values 16 to 23 fail")
		}
	})
}

// Only the narrow alternative makes failures by chance. An earlier, wider one makes simpler ones.
func TestNarrow(t *testing.T) {
	g := bigen.SliceOf(bigen.Pick(
		bigen.Tag("any", bigen.String(20)),
		bigen.Tag("key", bigen.Matching("[a-z]{4,8}qz7[a-z]{3,9}")),
	), 0, 4)
	fuzzext.Check(t, g, func(t *fuzzext.T, list []string) {
		for _, s := range list {
			if strings.Contains(s, "qz7") {
				t.Errorf("%q", s)
			}
		}
	})
}

// The generator panics when it runs backward. That loses no report.
func TestBackward(t *testing.T) {
	g := bigen.Iso(bigen.IntRange(0, 9), strconv.Itoa, func(string) (int, bool) { panic("not written yet") })
	fuzzext.Check(t, g, func(t *fuzzext.T, s string) {
		if s > "3" {
			t.Error(s)
		}
	})
}

// The property fails in a half of the runs if there are three ports, and in a fiftieth of all.
func TestComesAndGoes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fuzzext.Check(t, genConfig, func(t *fuzzext.T, v config) {
		if n := r.IntN(100); n < 50 && len(v.Ports) >= 3 || n < 2 {
			t.Errorf("%d ports", len(v.Ports))
		}
	})
}

// A message that holds the value, and bytes that a terminal obeys; a value of many lines.
func TestLong(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(bigen.IntRange(0, 99), 60, 90), func(t *fuzzext.T, list []int) {
		t.Errorf("too long: %v\x1b[0m\x00\xff", list)
	}, fuzzext.Variants(0))
}
