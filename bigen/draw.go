package bigen

import (
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// Draw is [Part] for code that uses the value while its generator runs, and may change it: Draw
// returns a value that equals *p, each part of which g makes anew. So *p stays as it is. Parts
// may have one name if n, which counts from 0, tells them apart. They are elements of a sequence
// then. Package draw is built on Draw.
func Draw[A any](c *C, name string, n int, p *A, g Gen[A]) A {
	start := len(c.tree)
	place := position{
		at: c.at, before: c.size(), depth: c.depth, level: c.level, derived: c.derived,
		recursions: c.recursions, params: c.params, nth: c.nth,
	}
	drawPart(c, name, n, p, g)
	switch kind := reflect.TypeFor[A]().Kind(); {
	case kind <= reflect.Complex128 || kind == reflect.String: // has no parts
		return *p
	case c.back:
		t, err := Choices(g, *p)
		if err != nil {
			c.unwind()
		}
		v, err := Value(g, choices.Replay(t, nil))
		if err != nil {
			c.unwind()
		}
		return v
	}
	twin := newC()
	twin.begin(place, reader{})
	twin.askFrom(choices.Replay(slices.Clone(c.tree[start:]), nil))
	var v A
	drawPart(twin, name, n, &v, g)
	twin.release()
	return v
}

func drawPart[A any](c *C, name string, n int, p *A, g Gen[A]) {
	index := c.at.index
	c.at.index = int32(n)
	Part(c, name, p, Pick(Tag(name, g)))
	c.at.index = index
}
