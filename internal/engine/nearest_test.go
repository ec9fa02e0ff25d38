package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A comparison that comes nearer is news, once.
func TestNearest(t *testing.T) {
	const site = 7
	number := func(a, b uint64, size uint8, constant bool) func(*Nearest) {
		return func(p *Nearest) { p.Number(site, a, b, size, constant) }
	}
	text := func(a, b string) func(*Nearest) { return func(p *Nearest) { p.Text(site, a, b) } }
	for _, c := range []struct {
		name          string
		first, second func(*Nearest)
		want          []uint32 // distances that are news in the second run
	}{
		{"nearer", number(10, 20, 8, false), number(10, 19, 8, false), []uint32{9}},
		{"as near", number(10, 20, 8, false), number(20, 10, 8, false), nil},
		{"less near", number(10, 20, 8, false), number(10, 21, 8, false), nil},
		{"equal", number(10, 20, 8, false), number(10, 10, 8, false), []uint32{0}},
		{"from below", number(0, 20, 1, false), number(0xff, 1, 1, false), []uint32{2}},
		{"wraps", number(0, 20, 2, false), number(0xffff, 1, 2, false), []uint32{2}},
		{"variables far apart", number(0, 2000, 8, false), number(0, 1000, 8, false), nil},
		{"a constant far away", number(0, 2000, 8, true), number(0, 1000, 8, true), []uint32{far + 10}},
		{"no shorter in bits", number(0, 1000, 8, true), number(0, 999, 8, true), nil},
		{"a longer beginning", text("abcd", "xxxx"), text("abcd", "abxx"), []uint32{2}},
		{"a length", text("abcd", "x"), text("abcd", "xxx"), []uint32{1}},
		{"equal texts", text("abcd", "x"), text("abcd", "abcd"), []uint32{0, 0}},
		{"other texts", text("abcd", "abxx"), text("efgh", "xxxx"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := new(Nearest)
			c.first(p)
			p.News(nil)
			c.second(p)
			var got []uint32
			for _, n := range p.News(nil) {
				got = append(got, n.Distance)
			}
			require.Equal(t, c.want, got)
			c.second(p)
			require.Empty(t, p.News(nil))
		})
	}
}

// A forgotten distance is news again when a comparison comes as near, but not otherwise.
func TestNearestForgets(t *testing.T) {
	p := new(Nearest)
	p.Number(1, 5, 10, 8, true)
	places := p.News(nil)
	require.Len(t, places, 1)

	p.Forget(places)
	p.Number(1, 4, 10, 8, true)
	require.False(t, p.Remember(places))
	require.Empty(t, p.News(nil))

	p.Forget(places)
	p.Number(1, 5, 10, 8, true)
	require.Equal(t, places, p.News(nil))
	require.True(t, p.Remember(places))
	p.Number(1, 5, 10, 8, true)
	require.Empty(t, p.News(nil))
}
