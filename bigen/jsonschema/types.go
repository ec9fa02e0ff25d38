package jsonschema

import (
	"strings"

	js "github.com/santhosh-tekuri/jsonschema/v6"
)

// A typeSet is a set of types of JSON values. Numbers are of two types.
type typeSet uint8

const (
	null typeSet = 1 << iota
	boolean
	integer
	fraction // a number that is not an integer
	text
	array
	object

	number   = integer | fraction
	anything = 1<<7 - 1
)

var typeNames = []string{"null", "boolean", "integer", "fraction", "string", "array", "object"}

func typesOf(t *js.Types) (set typeSet) {
	for _, name := range t.ToStrings() {
		if name == "number" {
			set |= number
		}
		for i, n := range typeNames {
			if n == name {
				set |= 1 << i
			}
		}
	}
	return set
}

func (t typeSet) String() string {
	var names []string
	if t&number == number {
		names, t = append(names, "number"), t&^number
	}
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func typeOf(v any) typeSet {
	switch v := v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case float64:
		if v == float64(int64(v)) || v >= 1<<53 || v <= -1<<53 {
			return integer
		}
		return fraction
	case string:
		return text
	case []any:
		return array
	}
	return object
}
