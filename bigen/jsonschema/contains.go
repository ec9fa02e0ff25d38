package jsonschema

import (
	"github.com/espalier-go/espalier/bigen"
)

// contents is the items of an array that contains something: up to each of the first that is what
// it contains, and after the last of these.
type contents struct {
	Until []segment
	After []any
}

type segment struct {
	Before []any
	Item   any
}

// flat returns the items without those after the last segment.
func (v contents) flat() []any { return flatten(v.Until) }

func flatten(segments []segment) []any {
	all := []any{}
	for _, s := range segments {
		all = append(append(all, s.Before...), s.Item)
	}
	return all
}

func (a *arrayMaker) segments() bigen.Gen[contents] {
	n := a.first.min
	until := bigen.SliceBy(func(prev []segment) (bigen.Gen[segment], bool) {
		head := flatten(prev)
		room := a.most - len(head) - (n - len(prev))
		if room < 0 {
			return bigen.Gen[segment]{}, false
		}
		least := max(0, a.first.from-len(head))
		return bigen.Struct(func(c *bigen.C, s *segment) {
			bigen.At(c, &s.Before, a.slice(head, least, room, a.other))
			item, ok := a.itemOf(hit, join(head, s.Before))
			if !ok {
				item = bigen.SuchThat(bigen.JSON(), func(any) bool { return false })
			}
			bigen.At(c, &s.Item, item)
		}), true
	}, n, max(n, 1))
	if n == 0 {
		until = bigen.SliceOf(bigen.Just(segment{}), 0, 0)
	}
	return bigen.Struct(func(c *bigen.C, v *contents) {
		bigen.At(c, &v.Until, until)
		head := v.flat()
		bigen.At(c, &v.After,
			a.slice(head, max(0, a.minItems-len(head)), max(0, a.most-len(head)), a.item))
	})
}

// slice is sized for a field.
func (a *arrayMaker) slice(before []any, lo, hi int, item itemGen) bigen.Gen[[]any] {
	return bigen.Iso(a.sized(before, lo, hi, item), func(v any) []any { return v.([]any) },
		func(v []any) (any, bool) { return v, v != nil })
}

// split undoes the joining of segments.
func (a *arrayMaker) split(v any) (contents, bool) {
	items, ok := v.([]any)
	if !ok || items == nil {
		return contents{}, false
	}
	out := contents{After: []any{}}
	begin := 0
	for i, item := range items {
		if len(out.Until) == a.first.min {
			break
		}
		if i >= a.first.from && a.first.lit.holds(item) {
			out.Until = append(out.Until, segment{append([]any{}, items[begin:i]...), item})
			begin = i + 1
		}
	}
	out.After = append(out.After, items[begin:]...)
	return out, len(out.Until) == a.first.min
}
