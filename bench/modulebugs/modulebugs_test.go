package modulebugs

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each bug shows on a small value, and not on one beside it.
func TestBugs(t *testing.T) {
	ops := func(ops ...bitmapOp) []bitmapOp { return ops }
	add := bitmapOp{Kind: "add"}
	range1 := bitmapOp{Kind: "addRange", A: 2, B: 3}
	assert.True(t, bitmapFails(bitmapSelect, ops(range1, add)))
	assert.False(t, bitmapFails(bitmapSelect, ops(range1)))
	assert.True(t,
		bitmapFails(bitmapShifted,
			ops(add, bitmapOp{Kind: "addRange", B: 4097}, bitmapOp{Kind: "offset", A: 1})))
	assert.False(t,
		bitmapFails(bitmapShifted,
			ops(add, bitmapOp{Kind: "addRange", B: 9}, bitmapOp{Kind: "offset", A: 1})))

	assert.True(t, tomlFails(tomlKey, settings{Hosts: map[string]string{"\\": ""}}))
	assert.False(t, tomlFails(tomlKey, settings{Hosts: map[string]string{"a b": ""}, Title: "\x00"}))
	assert.True(t, tomlFails(tomlString, settings{Main: &table{Name: "\x00"}}))
	assert.False(t, tomlFails(tomlString, settings{Main: &table{Name: "\n"}, Ratio: math.NaN()}))
	assert.True(t, tomlFails(tomlFloat, settings{Ratio: math.Inf(1)}))
	assert.False(t, tomlFails(tomlFloat, settings{Ratio: 1e300, Title: "\x00"}))

	assert.True(t, diffFails("", textPair{"a", "a\nb\n1\n\naa\n \n+\n%\n1"}))
	assert.False(t, diffFails("", textPair{"a", "a\nb\n1\n\naa\n1"}))

	object := func(space string, parts ...*jsonValue) *jsonValue {
		return &jsonValue{Kind: "object", Keys: jsonKeys[:len(parts)], Parts: parts, Space: space}
	}
	null := &jsonValue{Kind: "null"}
	list := &jsonValue{Kind: "list", Parts: []*jsonValue{null}}
	assert.True(t, mergeFails("", [2]*jsonValue{object(""), object("", list)}))
	assert.False(t, mergeFails("", [2]*jsonValue{object("", list), object("", null)}))
	assert.True(t, deleteFails("", object("\n", null, null)))
	assert.False(t, deleteFails("", object(" ", null, null)))
}
