package choices

import (
	"fmt"
	"reflect"
	"strconv"
)

// A Mark is what a choice says, without its place and its alternatives: the mark of
// "Bigenerators, Exposed!" (section 5.1.2). There, integers are tags. Here they are marks of
// their own, so that the integer 5, the text "5" and the tag "5" differ.
type Mark struct {
	Kind Kind
	Tag  string // Pick: the tag; Text: the string
	N    int64  // Int: the value; Uint: its bits
}

// Mark returns what the choice says.
func (c *Choice) Mark() Mark {
	switch c.Kind {
	case Pick, Text:
		return Mark{Kind: c.Kind, Tag: c.Tag}
	}
	return Mark{Kind: c.Kind, N: c.N}
}

// String returns the mark as [Tree.String] has it: a tag mostly as it is, an integer in
// decimal, a text quoted.
func (m Mark) String() string {
	switch m.Kind {
	case Int:
		return strconv.FormatInt(m.N, 10)
	case Uint:
		return strconv.FormatUint(uint64(m.N), 10)
	case Text:
		return strconv.Quote(m.Tag)
	}
	return tagText(m.Tag)
}

// Marks returns the marks of constants of integer and string types, for the dictionary of a
// mutator. An integer of 0 or more has two marks, of kinds Int and Uint. It panics if the
// type of a constant is neither an integer nor a string type.
func Marks(constants ...any) []Mark {
	var marks []Mark
	for _, c := range constants {
		switch v := reflect.ValueOf(c); {
		case v.CanInt() || v.CanUint() && int64(v.Uint()) >= 0:
			n := v.Convert(reflect.TypeFor[int64]()).Int()
			marks = append(marks, Mark{Kind: Int, N: n})
			if n >= 0 {
				marks = append(marks, Mark{Kind: Uint, N: n})
			}
		case v.CanUint():
			marks = append(marks, Mark{Kind: Uint, N: int64(v.Uint())})
		case v.Kind() == reflect.String:
			marks = append(marks, Mark{Kind: Text, Tag: v.String()})
		default:
			panic(fmt.Sprintf(
				"choices: constant %v: type %T is neither an integer nor a string type", c, c,
			))
		}
	}
	return marks
}
