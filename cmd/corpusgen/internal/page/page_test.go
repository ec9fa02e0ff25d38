package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ticks that would touch are left out, and so is a label of the axis that repeats another.
func TestTicks(t *testing.T) {
	c := &Chart{}
	for i := range 4 {
		c.Tick(100+40*float64(i), "1024–2047")
	}
	c.Tick(330, "1")
	c.Axis(func(share float64) string { return map[float64]string{0: "0", 0.5: "0", 1: "1"}[share] })
	var words []string
	for _, w := range c.Words {
		words = append(words, w.Text)
	}
	require.Equal(t, []string{"1024–2047", "1024–2047", "1", "0", "1"}, words)
	require.Equal(t, []string{"0", "", "3"}, []string{Whole(3)(0), Whole(3)(0.5), Whole(3)(1)})
}
