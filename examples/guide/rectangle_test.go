package guide

import (
	"fmt"
	"image"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/fuzzext"
)

// genRectangle makes well-formed rectangles from (-50,-50) to (50,50).
var genRectangle = bigen.Struct(func(c *bigen.C, r *image.Rectangle) {
	bigen.At(c, &r.Min.X, bigen.IntRange(-50, 50))
	bigen.At(c, &r.Min.Y, bigen.IntRange(-50, 50))
	bigen.At(c, &r.Max.X, bigen.IntRange(r.Min.X, 50))
	bigen.At(c, &r.Max.Y, bigen.IntRange(r.Min.Y, 50))
})

// pair is the input of the methods that take two rectangles.
type pair struct{ A, B image.Rectangle }

var genPair = bigen.Struct(func(c *bigen.C, p *pair) {
	bigen.At(c, &p.A, genRectangle)
	bigen.At(c, &p.B, genRectangle)
})

// intersects checks Intersect against In and Overlaps.
func intersects(t *fuzzext.T, p pair) {
	both := p.A.Intersect(p.B)
	if both.Empty() {
		t.Label("apart")
	}
	if !both.In(p.A) || !both.In(p.B) {
		t.Errorf("%v is not in both", both)
	}
	if p.A.Overlaps(p.B) == both.Empty() {
		t.Errorf("Overlaps is %t, the intersection is %v", p.A.Overlaps(p.B), both)
	}
}

func TestIntersect(t *testing.T) { fuzzext.Check(t, genPair, intersects) }

func FuzzIntersect(f *testing.F) {
	fuzzext.Add(f, genPair, pair{image.Rect(0, 0, 10, 10), image.Rect(10, 0, 20, 10)})
	f.Fuzz(fuzzext.Valid(genPair, intersects))
}

func TestApart(t *testing.T) {
	fuzzext.Check(t, genPair, intersects, fuzzext.Require("apart", 0.2))
}

func wellFormed(r image.Rectangle) bool { return r == r.Canon() }

// genAnyRectangle makes all rectangles with corners up to n, well-formed or not.
func genAnyRectangle(n int) bigen.Gen[image.Rectangle] {
	return bigen.Struct(func(c *bigen.C, r *image.Rectangle) {
		bigen.At(c, &r.Min.X, bigen.IntRange(-n, n))
		bigen.At(c, &r.Min.Y, bigen.IntRange(-n, n))
		bigen.At(c, &r.Max.X, bigen.IntRange(-n, n))
		bigen.At(c, &r.Max.Y, bigen.IntRange(-n, n))
	})
}

func TestGenRectangle(t *testing.T) {
	bigentest.Laws(t, genRectangle)                                     // it runs in both directions,
	bigentest.Sound(t, genRectangle, wellFormed)                        // makes only valid values,
	bigentest.Complete(t, genAnyRectangle(3), wellFormed, genRectangle) // and all of them
}

func Example_check() {
	fmt.Println(bigen.Check(genRectangle, image.Rect(0, 0, 10, 10)))
	fmt.Println(bigen.Check(genRectangle, image.Rectangle{Min: image.Pt(5, 0), Max: image.Pt(3, 10)}))
	// Output:
	// <nil>
	// not produced by the generator: at /Max.X: 3 not in [5,50]
}

func Example_choices() {
	tree, err := bigen.Choices(genRectangle, image.Rect(0, 0, 10, 20))
	fmt.Println(tree, err)
	// Output:
	// 0, 0, 10, 20 <nil>
}
