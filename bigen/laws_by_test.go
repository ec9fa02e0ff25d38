package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

type word string

// route goes through one of its peers.
type route struct {
	Name  word
	Peers []word `bigen:"len=1..3"`
	Via   word
	Cost  int `bigen:"range=0..9"`
	Alts  []word
}

var routeOptions = []bigen.Option{
	bigen.With(bigen.As[word](bigen.Matching("[a-c]{1,2}"))),
	bigen.FieldBy(func(r *route) *word { return &r.Via }, func(r *route) bigen.Gen[word] {
		return bigen.OneOf(r.Peers...)
	}),
	bigen.FieldBy(func(r *route) *[]word { return &r.Alts }, func(r *route) bigen.Gen[[]word] {
		return bigen.SliceOf(bigen.Just(r.Via), r.Cost/5, r.Cost)
	}),
}

func (r route) valid() bool {
	found := false
	for _, p := range r.Peers {
		found = found || p == r.Via
	}
	for _, a := range r.Alts {
		found = found && a == r.Via
	}
	return found && len(r.Alts) <= r.Cost
}

type words []word

func init() {
	laws = append(laws,
		lawful("FieldBy", bigen.For[route](routeOptions...), route.valid),
		lawful("FieldBy/nested", bigen.For[struct{ R []route }](routeOptions...), always),
		lawful("As", bigen.As[word](bigen.String(3)), always),
		lawful(
			"As/slice", bigen.As[words](bigen.SliceOf(bigen.As[word](bigen.String(1)), 0, 3)),
			always,
		),
	)
}

func TestFieldBy(t *testing.T) {
	g := bigen.For[route](routeOptions...)
	err := bigen.Check(g, route{Name: "a", Peers: []word{"b"}, Via: "c"})
	require.EqualError(
		t, err,
		`not produced by the generator: at /Via/b: bigen_test.word("c") is not bigen_test.word("b")`,
	)

	// What follows the field is zero for its generator, in both directions.
	blind := bigen.For[struct{ A, B uint8 }](bigen.FieldBy(
		func(s *struct{ A, B uint8 }) *uint8 { return &s.A },
		func(s *struct{ A, B uint8 }) bigen.Gen[uint8] { return bigen.Just(s.A + s.B) }))
	require.NoError(t, bigen.Check(blind, struct{ A, B uint8 }{0, 7}))
	require.Error(t, bigen.Check(blind, struct{ A, B uint8 }{7, 7}))

	require.PanicsWithValue(t, "bigen.FieldBy: what the function returns is not the address of a int8 that is a field of the bigen_test.parts", func() {
		bigen.FieldBy(func(p *parts) *int8 { return &p.Grid[1][2] }, func(*parts) bigen.Gen[int8] {
			return bigen.Just[int8](1)
		})
	})
	require.PanicsWithValue(
		t, "bigen.As: bigen_test.word and []uint8 have different underlying types",
		func() { bigen.As[word](bigen.Bytes(0, 1)) },
	)
	require.PanicsWithValue(t, "bigen.As: int8 and int have different underlying types", func() {
		bigen.As[int8](bigen.Int[int]())
	})
}

func TestFilledTwice(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, s *span) {
		bigen.At(c, &s.From, bigen.IntRange(0, 3))
		bigen.At(c, &s.From, bigen.IntRange(0, 3))
	})
	const want = "bigen.At: the field From of bigen_test.span is filled twice: what it was first would be lost"
	require.PanicsWithValue(t, want, func() { bigen.Sample(g, rng(1)) })
	require.PanicsWithValue(t, want, func() { _ = bigen.Check(g, span{}) })
}
