package mutate_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// Names are exchanged, though other integers of the same range must stay.
func TestRename(t *testing.T) {
	type call struct{ Key, Value uint8 }
	gen := bigen.For[[]call]()
	fails := func(all []call) bool { // the second key is used twice, between two others
		if len(all) != 4 {
			return false
		}
		a, b, c := all[0].Key, all[1].Key, all[3].Key
		for _, x := range all {
			if x.Value != 0 {
				return false
			}
		}
		return all[2].Key == b && a != b && b != c && a != c
	}
	for _, keys := range [][4]uint8{{1, 2, 2, 0}, {2, 1, 1, 0}, {0, 5, 5, 9}} {
		var all []call
		for _, k := range keys {
			all = append(all, call{Key: k})
		}
		tree, err := bigen.Choices(gen, all)
		require.NoError(t, err)
		small, _, _ := mutate.Minimize(tree, func(edited choices.Tree) ([]call, choices.Tree, error) {
			return bigen.Run(gen, choices.Replay(edited, nil))
		}, fails, 1000)
		got, _, err := bigen.Run(gen, choices.Replay(small, nil))
		require.NoError(t, err)
		require.Equal(t, []call{{Key: 1}, {Key: 0}, {Key: 0}, {Key: 2}}, got, keys)
	}
}
