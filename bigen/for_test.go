package bigen_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

func measure[T any](t *testing.T, name string, g bigen.Gen[T]) {
	r := rng(11)
	const n = 2000
	var sum, most, smallest int
	least := 1 << 30
	for range n {
		_, tree, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		s := len(tree)
		sum += s
		most = max(most, s)
		if s < least {
			least, smallest = s, 0
		}
		if s == least {
			smallest++
		}
	}
	t.Logf("%-20s mean %d max %d minimal %d%% (%d)", name, sum/n, most, 100*smallest/n, least)
}

func TestMeasure(t *testing.T) {
	measure(t, "list", bigen.For[*chain]())
	measure(t, "tree", bigen.For[*fork]())
	measure(t, "bush", bigen.For[*bush]())
	measure(t, "triple", bigen.For[triple]())
	measure(t, "nest", bigen.For[nest]())
	measure(t, "dict", bigen.For[dict]())
	measure(t, "even3", bigen.For[even3]())
	measure(t, "entry", bigen.For[entry](variants))
	measure(t, "json", bigen.For[any](anyJSON))
	measure(t, "parts", bigen.For[parts]())
	measure(t, "[][][][]int", bigen.For[[][][][]int]())
	measure(t, "tagged", bigen.For[tagged](variants))
	measure(t, "basics", bigen.For[basics]())
	_ = reflect.TypeOf
}
