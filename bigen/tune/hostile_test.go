package tune_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func exactModel(body string) string {
	return `{"format":"espalier model","version":2,"kind":"exact","model":` + body + `}`
}

// doubling is a language of n types, each of which has two of the next.
func doubling(n, size int) string {
	var types []string
	for i := range n - 1 {
		types = append(types,
			fmt.Sprintf(
				`{"tags":["a","b"],"rules":[{"parts":[[%d,0],[%d,0]]},{"parts":[[%d,0],[%d,0]]}]}`,
				i+2, i+2, i+2, i+2))
	}
	types = append(types, `{"tags":["a","b"],"rules":[{},{"size":1}]}`)
	return exactModel(fmt.Sprintf(`{"sizes":[0,%d],"types":[{"rules":[{"parts":[[1,0]]}]},%s]}`,
		size, strings.Join(types, ",")))
}

// chain is a language of n types, each of which has one of the next, so that counting a size
// takes n passes.
func chain(n, size int) string {
	types := []string{`{"rules":[{"parts":[[1,0]]}]}`}
	for i := range n - 1 {
		types = append(types, fmt.Sprintf(`{"tags":["a"],"rules":[{"parts":[[%d,0]]}]}`, i+2))
	}
	types = append(types,
		fmt.Sprintf(`{"tags":["a","b"],"rules":[{},{"size":1,"parts":[[%d,0]]}]}`, n))
	return exactModel(fmt.Sprintf(`{"sizes":[0,%d],"types":[%s]}`, size, strings.Join(types, ",")))
}

// steep is a language of 2^1022 values of size 0, and twice as many of each size as of the size
// before. Only the sizes themselves show that.
var steep = func() string {
	types := []string{`{"rules":[{"parts":[[1,0],[1,0],[10,0]]}]}`}
	for i := range 8 {
		types = append(types,
			fmt.Sprintf(
				`{"tags":["a","b"],"rules":[{"parts":[[%d,0],[%d,0]]},{"parts":[[%d,0],[%d,0]]}]}`,
				i+2, i+2, i+2, i+2))
	}
	types = append(types, `{"tags":["a","b"],"rules":[{},{}]}`,
		`{"tags":["a","b","end"],"rules":[{"size":1,"parts":[[10,0]]},{"size":1,"parts":[[10,0]]},{}]}`)
	return exactModel(`{"sizes":[1000,1000],"types":[` + strings.Join(types, ",") + `]}`)
}()

// hostileModels are small files that could make a reader slow, or make it fail.
var hostileModels = map[string]string{
	"itself": exactModel(
		`{"sizes":[0,9],"types":[{"rules":[{"parts":[[1,0]]}]},{"tags":["a"],"rules":[{"parts":[[1,0]]}]}]}`),
	"itself twice": exactModel(
		`{"sizes":[0,9],"types":[{"rules":[{"parts":[[1,0]]}]},{"tags":["a","b"],"rules":[{},{"parts":[[1,0],[1,0]]}]}]}`),
	"doubling":        doubling(40, 9),
	"doubling, large": doubling(500, 4000),
	"chain":           chain(20, 20),
	"no tags":         exactModel(`{"sizes":[0,1],"types":[{"tags":[],"rules":[{}]}]}`),
	"root with tags":  exactModel(`{"sizes":[0,1],"types":[{"tags":["a"],"rules":[{}]}]}`),
	"root with two":   exactModel(`{"sizes":[0,1],"types":[{"tags":["a","b"],"rules":[{}]}]}`),
	"empty type":      exactModel(`{"sizes":[0,1],"types":[{"rules":[{}]},{"tags":[],"rules":[]}]}`),
	"no parts":        exactModel(`{"sizes":[0,1],"types":[{"rules":[{"parts":[]}]}]}`),
	"null":            exactModel(`null`),
	"large":           exactModel(`{"sizes":[0,9223372036854775807],"types":[{"rules":[{}]}]}`),
	"high": exactModel(
		`{"sizes":[0,1],"heights":[0,9223372036854775807],"types":[{"rules":[{}]}]}`),
	"large rule": exactModel(
		`{"sizes":[0,1],"types":[{"rules":[{"size":9223372036854775807,"height":9223372036854775807}]}]}`),
}

func TestHostileModels(t *testing.T) {
	if long.Enabled() { // each size takes 500 passes, which must be bounded, too
		require.ErrorContains(t, tune.New().UnmarshalJSON([]byte(chain(500, 500))), "that takes too long")
	}
	for _, name := range []string{"root with tags", "root with two"} {
		require.ErrorContains(t, tune.New().UnmarshalJSON([]byte(hostileModels[name])), "it has no root")
	}
	// At scale 1, the counts of small sizes overflow. At a scale at which they do not, the
	// counts of size 1000 underflow.
	require.NoError(t, tune.New().UnmarshalJSON([]byte(steep)))
	for name, text := range hostileModels {
		t.Run(name, func(t *testing.T) {
			m := tune.New()
			if m.UnmarshalJSON([]byte(text)) == nil {
				for seed := range 3 {
					if _, err := tune.Sample(m, genTree, rng(uint64(seed))); err != nil {
						require.ErrorIs(t, err, tune.ErrLimit)
					}
				}
				_, err := m.MarshalJSON()
				require.NoError(t, err)
			}
		})
	}
}

// A search whose context has ended runs nothing, not even at the start.
func TestSearchEnded(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	runs := 0
	g := bigen.Struct(func(c *bigen.C, v *bool) {
		runs++
		bigen.At(c, v, bigen.Bool())
	})
	runs = 0
	s := tune.Of(g, tune.Size(1e6))
	_, err := tune.CrossEntropy(ctx, s, tune.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, runs)
}
