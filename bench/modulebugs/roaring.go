package modulebugs

import (
	"slices"

	"github.com/RoaringBitmap/roaring"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/mutants"
	"github.com/espalier-go/espalier/bigen"
)

// A bitmapOp is an operation on a set of integers.
type bitmapOp struct {
	Kind  string
	A, B  uint32
	Other []bitmapOp // of the other set
}

const (
	bitmapTop    = 3 << 16 // three containers
	bitmapOffset = 2 << 16
	bitmapOps    = 8
	bitmapSpace  = bitmapTop + bitmapOps*bitmapOffset
)

var (
	rangeKinds  = []string{"add", "remove", "addRange", "removeRange", "flip", "optimize"}
	bitmapKinds = []string{"add", "remove", "addRange", "removeRange", "flip", "optimize",
		"offset", "and", "or", "xor", "andNot"}
	genOtherOps  = genBitmapOps(bigen.Gen[[]bitmapOp]{}, rangeKinds)
	genAnyBitmap = genBitmapOps(genOtherOps, bitmapKinds)
)

func genBitmapOps(other bigen.Gen[[]bitmapOp], kinds []string) bigen.Gen[[]bitmapOp] {
	return bigen.SliceOf(bigen.Struct(func(c *bigen.C, o *bitmapOp) {
		bigen.At(c, &o.Kind, bigen.OneOf(kinds...))
		switch o.Kind {
		case "optimize":
		case "and", "or", "xor", "andNot":
			bigen.At(c, &o.Other, other)
		case "add", "remove":
			bigen.At(c, &o.A, bigen.IntRange[uint32](0, bitmapTop))
		case "offset":
			bigen.At(c, &o.A, bigen.IntRange[uint32](0, bitmapOffset))
		default:
			bigen.At(c, &o.A, bigen.IntRange[uint32](0, bitmapTop))
			bigen.At(c, &o.B, bigen.IntRange(o.A, bitmapTop))
		}
	}), 0, bitmapOps)
}

func rapidBitmapOps(
	other *rapid.Generator[[]bitmapOp], kinds []string,
) *rapid.Generator[[]bitmapOp] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) (o bitmapOp) {
		o.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
		switch o.Kind {
		case "optimize":
		case "and", "or", "xor", "andNot":
			o.Other = other.Draw(t, "other")
		case "add", "remove":
			o.A = rapid.Uint32Range(0, bitmapTop).Draw(t, "a")
		case "offset":
			o.A = rapid.Uint32Range(0, bitmapOffset).Draw(t, "offset")
		default:
			o.A = rapid.Uint32Range(0, bitmapTop).Draw(t, "a")
			o.B = rapid.Uint32Range(o.A, bitmapTop).Draw(t, "b")
		}
		return o
	}), 0, bitmapOps)
}

var (
	rapidOtherOps  = rapidBitmapOps(nil, rangeKinds)
	rapidAnyBitmap = rapidBitmapOps(rapidOtherOps, bitmapKinds)
)

// bitmapOf returns what the operations make, and a slow set with the same.
func bitmapOf(ops []bitmapOp) (*roaring.Bitmap, []bool) {
	b, want := roaring.New(), make([]bool, bitmapSpace)
	for _, o := range ops {
		within := want[o.A:max(o.A, o.B)]
		switch o.Kind {
		case "add":
			b.Add(o.A)
			want[o.A] = true
		case "remove":
			b.Remove(o.A)
			want[o.A] = false
		case "addRange":
			b.AddRange(uint64(o.A), uint64(o.B))
			for i := range within {
				within[i] = true
			}
		case "removeRange":
			b.RemoveRange(uint64(o.A), uint64(o.B))
			clear(within)
		case "flip":
			b.Flip(uint64(o.A), uint64(o.B))
			for i := range within {
				within[i] = !within[i]
			}
		case "optimize":
			b.RunOptimize()
		case "offset":
			b = roaring.AddOffset(b, o.A)
			want = append(make([]bool, o.A, bitmapSpace), want[:bitmapSpace-o.A]...)
		default:
			other, in := bitmapOf(o.Other)
			combinations[o.Kind].on(b, other)
			for i, x := range in {
				want[i] = combinations[o.Kind].want(want[i], x)
			}
		}
	}
	return b, want
}

// combinations have the operations on two sets.
var combinations = map[string]struct {
	on   func(b, other *roaring.Bitmap)
	want func(x, y bool) bool
}{
	"and":    {(*roaring.Bitmap).And, func(x, y bool) bool { return x && y }},
	"or":     {(*roaring.Bitmap).Or, func(x, y bool) bool { return x || y }},
	"xor":    {(*roaring.Bitmap).Xor, func(x, y bool) bool { return x != y }},
	"andNot": {(*roaring.Bitmap).AndNot, func(x, y bool) bool { return x && !y }},
}

const (
	bitmapSelect  = "#236: Select" // fixed in v0.4.23
	bitmapShifted = "AddOffset"    // fixed in v1.2.3
)

var roaringModule = mutants.New(mutants.Spec[[]bitmapOp]{
	Name:       "roaring@v0.4.17",
	Bugs:       []string{bitmapSelect, bitmapShifted},
	Fails:      bitmapFails,
	Built:      genAnyBitmap,
	RapidBuilt: drawOf(rapidAnyBitmap),
})

func bitmapFails(bug string, ops []bitmapOp) bool {
	b, in := bitmapOf(ops)
	var want []uint32
	for i := range in {
		if in[i] {
			want = append(want, uint32(i))
		}
	}
	if bug == bitmapShifted {
		return !slices.Equal(b.ToArray(), want)
	}
	for i := 0; i < len(want); i += 1 + len(want)/50 {
		if x, err := b.Select(uint32(i)); slices.Equal(b.ToArray(), want) &&
			(err != nil || x != want[i]) {
			return true
		}
	}
	return false
}
