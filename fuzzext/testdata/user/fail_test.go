package user

import (
	"bytes"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	ext "github.com/espalier-go/espalier/fuzzext"
)

type pair struct{ A, B int }

var genPair = bigen.Struct(func(c *bigen.C, p *pair) {
	bigen.At(c, &p.A, bigen.IntRange(0, 100))
	bigen.At(c, &p.B, bigen.IntRange(0, 100))
})

func ordered(t *fuzzext.T, p pair) {
	if p.A > p.B {
		t.Error("not in order")
	}
}

func FuzzNamed(f *testing.F) {
	fuzzext.Add(f, genPair, pair{50, 30})
	f.Fuzz(fuzzext.Valid(genPair, ordered))
}

type shape interface{ area() int }

type square struct{ Side int }

func (s square) area() int { return s.Side * s.Side }

var genShape = bigen.Pick(bigen.Case[shape]("square", bigen.Struct(func(c *bigen.C, s *square) {
	bigen.At(c, &s.Side, bigen.IntRange(0, 10))
})))

func FuzzClosure(f *testing.F) {
	fuzzext.Add(f, bigen.SliceOf(genShape, 0, 5), []shape{square{1}, square{7}})
	f.Fuzz(fuzzext.Valid(bigen.SliceOf(genShape, 0, 5), func(t *fuzzext.T, shapes []shape) {
		for _, s := range shapes {
			if s.area() > 3 {
				t.Error("large")
			}
		}
	}, fuzzext.Variants(0)))
}

func FuzzShape(fuzz *testing.F) {
	ext.Add[shape](fuzz, genShape, square{7})
	fuzz.Fuzz(
		ext.Valid(
			genShape,
			func(t *ext.T, s shape) {
				if s.area() > 3 {
					t.Error("large")
				}
			},
		),
	)
}

func TestShape(t *testing.T) {
	fuzzext.Check(t, genShape, func(t *fuzzext.T, s shape) {
		if s.area() > 3 {
			t.Error("large")
		}
	})
}

func FuzzForward(f *testing.F) {
	g := bigen.Iso(genPair, func(p pair) int { return p.A * p.B }, func(int) (p pair, ok bool) { return p, false })
	b, _ := bigen.Encode(genPair, pair{50, 30})
	f.Add(b)
	f.Fuzz(fuzzext.Valid(g, func(t *fuzzext.T, n int) {
		if n > 10 {
			t.Error("large")
		}
	}, fuzzext.Variants(0)))
}

// The literal of a value with fields of another package does not compile.
func FuzzInexact(f *testing.F) {
	g := bigen.Iso(bigen.IntRange(0, 100),
		func(n int) *bytes.Buffer { return bytes.NewBufferString(string(rune('0' + n))) },
		func(b *bytes.Buffer) (int, bool) { return int(b.Bytes()[0]) - '0', true })
	b, _ := bigen.Encode(bigen.IntRange(0, 100), 77)
	f.Add(b)
	f.Fuzz(fuzzext.Valid(g, func(t *fuzzext.T, v *bytes.Buffer) {
		if v.Len() > 0 && v.Bytes()[0] > '5' {
			t.Error("large")
		}
	}, fuzzext.Variants(0)))
}

func FuzzLarge(f *testing.F) {
	g := bigen.SliceOf(bigen.String(100), 0, 2000)
	v := make([]string, 2000)
	for i := range v {
		v[i] = "some text in a large value"
	}
	fuzzext.Add(f, g, v)
	f.Fuzz(fuzzext.Valid(g, func(t *fuzzext.T, v []string) { t.Error("failed") }, fuzzext.Shrinks(0)))
}

func FuzzLabels(f *testing.F) {
	fuzzext.Add(f, bigen.IntRange(0, 100), 77)
	f.Fuzz(fuzzext.Valid(bigen.IntRange(0, 100), func(t *fuzzext.T, n int) {
		if n > 10 {
			t.Label("large")
		}
		if n%2 == 1 {
			t.Label("odd")
			t.Label("odd")
		}
		if n > 10 && n%2 == 1 {
			t.Error("failed")
		}
	}, fuzzext.Variants(0)))
}

var over, told chan bool // of the run before

func FuzzLate(f *testing.F) {
	fuzzext.Add(f, genPair, pair{1, 2}, pair{3, 4})
	f.Fuzz(fuzzext.Valid(genPair, func(t *fuzzext.T, _ pair) {
		if over != nil {
			close(over)
			<-told
		}
		over, told = make(chan bool), make(chan bool)
		go func(over, told chan bool) {
			<-over
			t.Error("too late")
			close(told)
		}(over, told)
	}, fuzzext.Variants(0)))
}

func FuzzOuter(f *testing.F) {
	fuzzext.Add(f, genPair, pair{2, 1})
	v := fuzzext.Valid(genPair, func(t *fuzzext.T, p pair) { outer.Error("outer") })
	f.Fuzz(func(t *testing.T, b []byte) {
		outer = t
		v(t, b)
	})
}

var outer *testing.T
