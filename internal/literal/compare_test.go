package literal

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSame(t *testing.T) {
	type pair struct {
		A []int
		B map[float64]*string
		C any
	}
	s, again, other := "s", "s", "o"
	nan := math.NaN()
	now := time.Unix(5, 0)
	tests := []struct {
		a, b any
		same bool
	}{
		{1, 1, true}, {1, 2, false}, {1, "1", false}, {nil, nil, true}, {nil, 1, false},
		{nan, nan, true}, {0.0, math.Copysign(0, -1), false},
		{pair{}, pair{A: []int{}, B: map[float64]*string{}}, true},
		{pair{A: []int{1}}, pair{A: []int{1}}, true},
		{pair{A: []int{1}}, pair{A: []int{2}}, false},
		{pair{A: []int{1}}, pair{A: []int{1, 0}}, false},
		{pair{B: map[float64]*string{1: &s}}, pair{B: map[float64]*string{1: &again}}, true},
		{pair{B: map[float64]*string{1: &s}}, pair{B: map[float64]*string{1: &other}}, false},
		{pair{B: map[float64]*string{1: &s}}, pair{B: map[float64]*string{2: &s}}, false},
		{pair{B: map[float64]*string{1: &s}}, pair{B: map[float64]*string{1: nil}}, false},
		{pair{C: 1}, pair{C: 1}, true}, {pair{C: 1}, pair{C: int8(1)}, false},
		{pair{C: 1}, pair{}, false},
		{now, time.Unix(5, 0).In(now.Location()), true}, {now, now.Add(1), false},
	}
	for _, test := range tests {
		require.Equal(t, test.same, Same(test.a, test.b), "%#v %#v", test.a, test.b)
		require.Equal(t, test.same, Same(test.b, test.a), "%#v %#v", test.b, test.a)
	}
}
