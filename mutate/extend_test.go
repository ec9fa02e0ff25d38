package mutate_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// A level is a tree whose nodes should have their heights.
type level struct {
	Height, Key int
	L, R        *level
}

func (l *level) nodes() int {
	if l == nil {
		return 0
	}
	return 1 + l.L.nodes() + l.R.nodes()
}

// height returns the height of l, or -1 if a node has a wrong height.
func (l *level) height() int {
	if l == nil {
		return 0
	}
	left, right := l.L.height(), l.R.height()
	if left < 0 || right < 0 || l.Height != 1+max(left, right) {
		return -1
	}
	return l.Height
}

// genLevel knows nothing about heights.
var genLevel = func() (g bigen.Gen[*level]) {
	self := bigen.Lazy(func() bigen.Gen[*level] { return g })
	g = bigen.Pick(bigen.Tag("none", bigen.Nil[level]()),
		bigen.Tag("level", bigen.New(func(c *bigen.C, l *level) {
			bigen.At(c, &l.Height, bigen.IntRange(1, 99))
			bigen.At(c, &l.L, self)
			bigen.At(c, &l.R, self)
			bigen.At(c, &l.Key, bigen.IntRange(0, 99))
		})))
	return g
}()

// applied calls see for the values that an operator makes from one value.
func applied(t *testing.T, name string, of *level, see func(*level)) {
	tree, err := bigen.Choices(genLevel, of)
	require.NoError(t, err)
	r := rng(17)
	var m mutate.Mutator
	for range 2000 {
		for _, op := range mutate.Agreeing() {
			if op.Name == name {
				edited, _ := op.Apply(&m, tree, r)
				v, err := bigen.Value(genLevel, choices.Replay(edited, r))
				require.NoError(t, err)
				see(v)
			}
		}
	}
}

// A value whose parts agree with the parts below them can get another part.
func TestExtend(t *testing.T) {
	path := &level{Height: 3, Key: 40, R: &level{Height: 2, Key: 60, L: &level{Height: 1, Key: 50}}}
	extended, deeper, keys := 0, 0, map[int]bool{}
	applied(t, "extend", path, func(l *level) {
		require.Equal(t, 4, l.nodes())
		if h := l.height(); h > 0 {
			if extended++; h == 4 {
				deeper++
			}
			if l.L != nil {
				keys[l.L.Key] = true
			}
		}
	})
	t.Logf("%d extended, %d deeper, %d keys", extended, deeper, len(keys))
	require.Greater(t, extended, 200)
	require.Greater(t, deeper, 5)
	require.Greater(t, len(keys), 20)
	require.True(t, keys[39] && keys[41], "a neighbor of the key above")
}

// A part changes together with the parts below it.
func TestRecolor(t *testing.T) {
	root := &level{Height: 30, L: &level{Height: 10}, R: &level{Height: 20}}
	changed := map[[3]int]bool{}
	applied(t, "recolor", root, func(l *level) {
		changed[[3]int{l.Height - 30, l.L.Height - 10, l.R.Height - 20}] = true
	})
	for _, want := range [][3]int{{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {-1, -1, -1}} {
		require.True(t, changed[want], "%v", want)
	}
	require.False(t, changed[[3]int{0, 1, 1}], "the part itself changes")
}
