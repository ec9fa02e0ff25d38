package bigen

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/espalier-go/espalier/internal/remade"
)

// For makes values of any type, by a generator that it derives from the type:
//
//   - Booleans, numbers and strings of up to 256 runes, also of defined types, take
//     any value; see [Int], [Float], [Complex] and [String].
//   - Types of the standard library that this package has a generator for, such as
//     [time.Time], [netip.Addr] and [url.URL], take the values of that generator. A
//     [big.Int] has up to 1024 bits.
//   - Structs and arrays consist of values of their fields and elements. Embedded
//     structs are fields like others. Unexported fields of size zero have no value to make.
//   - Pointers are nil or point to a value.
//   - Slices and maps have any number of elements. Empty ones are made as nil;
//     backward, empty ones that are not nil count as nil. [EmptyOrNil] and
//     [EmptyNotNil] change that.
//   - Interfaces hold one of the types that [Variants] lists.
//
// Types may be recursive in any way. For computes from the type how often a recursive
// value grows: values have some tens of choices on average, whatever the type's
// shape, are seldom the smallest, and do not explode ("Branching Processes for
// QuickCheck Generators", section 5). Once a value has 1000 choices, or 4 times as many
// as the type leads to on average, what is random in it ends as soon as it can. Values of
// any size can be recovered and decoded.
//
// Struct tags with the key bigen restrict the values. For a type that is not a field,
// use [WithTag]. A tag lists, separated by commas:
//
//   - "-": the field stays zero
//   - "nonnil": the pointer or interface is not nil
//   - "len=1..5": the length of a slice or map, of a string in runes. Those of inner
//     slices, maps and strings follow semicolons, as in len=1..5;;2..3, where nothing
//     is said of the second level.
//   - "empty=ornil": an empty slice or map is nil or not, "empty=notnil": it is not
//     nil, "empty=nil": it is nil, whatever the options. Semicolons separate levels.
//   - "odds=0.25": the odds of having a value at a pointer, or another element in a
//     slice or map, at random, however deep; up to 9
//   - "range=-1..10": the range of a number or duration, both ends included
//   - "oneof=a|b|c": the values of a string, number or duration
//   - "match=[a-z]+": the regular expression that a string matches; it comes last,
//     since it extends to the end of the tag
//   - "key." before a rule: it is about the keys of a map, as in key.range=1..9
//
// Either end of a range may be left out: len=1.. and range=..10. A rule that does not
// fit a pointer, slice, array or map itself applies to what it points to or consists of:
// on a []*int, `bigen:"len=1..3,nonnil,range=0..9"` describes the slice, then the
// pointers, then the integers. Of a map it applies to the values.
//
// If several rules concern one place, the most specific wins: a [Field] or [FieldBy]
// option, then the field's tag, then [With] and [Construct], then the type.
//
// Choices are addressed by the names of fields. So trees and corpora remain valid
// when fields are added, removed or reordered, and when a generator written with
// [Struct] and [At] replaces the derived one.
//
// For panics if the type has no generator (channels, functions, unexported fields,
// interfaces without variants), if none of its values is finite, or if a tag does not
// fit. The message lists all such mistakes, each with the path to the type and a remedy.
// Without options, For derives the generator of each type once. With options, it derives
// one at each call: call it once, not in a function that runs for each value.
func For[T any](opts ...Option) Gen[T] {
	t := reflect.TypeFor[T]()
	if len(opts) > 0 {
		return Gen[T]{u: untyped{op: derivedOp{derive(t, opts)}}}
	}
	n, ok := derived.Load(t)
	if !ok {
		n, _ = derived.LoadOrStore(t, derive(t, nil))
	}
	return Gen[T]{u: untyped{op: derivedOp{n.(*typeNode)}}}
}

var derived sync.Map // of reflect.Type to *typeNode, without options

func derive(t reflect.Type, opts []Option) *typeNode {
	d := newDerivation(fmt.Sprintf("bigen.For[%v]", t))
	remade.Note(d.what)
	for _, o := range opts {
		o(d)
	}
	root := d.try(func() *typeNode { return d.node(t, d.parseTag(d.tag), nil) })
	d.finish(root)
	return root
}
