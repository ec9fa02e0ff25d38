package api_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// Values are made of each other, in types that no source has, and are read back.
func TestNested(t *testing.T) {
	t.Parallel()
	g := api.Nested(bigen.Pick(
		bigen.Tag("nil", bigen.Just[any](nil)),
		bigen.Case[any]("n", bigen.Int[int]()),
		bigen.Case[any]("s", bigen.String(5)),
	), `json:"a"`)
	bigentest.Laws(t, g, bigentest.Runs(50))
	r, types := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
	for range 3000 {
		if v := bigen.Sample(g, r); v != nil {
			types[reflect.TypeOf(v).String()] = true
		}
	}
	for _, want := range []string{
		"int", "*string", "**int", "[]int", "[]interface {}", "map[string]string", "map[string]interface {}",
		`struct { A int }`, `struct { A string "json:\"a\"" }`, "struct { A *int }",
	} {
		require.True(t, types[want], want)
	}
	three := 3
	for _, v := range []any{
		[]int{1}, map[string]any{"a": nil, "b": 7}, struct{ A []string }{[]string{"x"}}, &three,
	} {
		require.NoError(t, bigen.Check(g, v))
	}
	for _, v := range []any{int8(1), []int{}, struct{ B int }{1}, (*bool)(nil), map[int]int{1: 1}} {
		require.Error(t, bigen.Check(g, v))
	}
}
