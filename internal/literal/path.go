package literal

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Path says where a part of a value stands: the names of fields, each after a dot, and
// indices in brackets. Pointers and interfaces add nothing. The path of the value is empty.
type Path []string

func (p Path) String() string { return strings.TrimPrefix(strings.Join(p, ""), ".") }

// Within reports whether the part at p is that at q, or a part of it.
func (p Path) Within(q Path) bool { return len(p) >= len(q) && p.Common(q).String() == q.String() }

// Common returns the path of the smallest part that has those at p and q.
func (p Path) Common(q Path) Path {
	n := 0
	for n < len(p) && n < len(q) && p[n] == q[n] {
		n++
	}
	return p[:n:n]
}

// Same reports whether two values of one type are equal for those who write them as
// literals: pointers by what they point to, NaN to itself. Slices and maps without elements
// are the same, whether they are nil or not.
func Same(a, b any) bool {
	_, differ := Difference(a, b)
	return !differ
}

// Difference returns the path of the smallest part that has all differences between two values
// of one type. It reports false if they are the same.
func Difference(a, b any) (p Path, differ bool) {
	c := comparison{}
	return c.difference(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem(), nil)
}

// A comparison holds the pairs of pointers that have been compared: values may be cyclic.
type comparison map[[2]uintptr]bool

func (c comparison) difference(a, b reflect.Value, at Path) (p Path, differ bool) {
	parts := func(n int, part func(i int) (step string, a, b reflect.Value)) (Path, bool) {
		for i := range n {
			step, x, y := part(i)
			q, d := c.difference(x, y, append(at[:len(at):len(at)], step))
			switch {
			case !d:
			case differ:
				return at, true
			default:
				p, differ = q, true
			}
		}
		return p, differ
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		switch {
		case a.IsNil() || b.IsNil():
			return at, a.IsNil() != b.IsNil()
		case a.Elem().Type() != b.Elem().Type():
			return at, true
		}
		if a.Kind() == reflect.Pointer {
			pair := [2]uintptr{a.Pointer(), b.Pointer()}
			if c[pair] {
				return at, false
			}
			c[pair] = true
		}
		return c.difference(a.Elem(), b.Elem(), at)
	case reflect.String:
		return at, a.String() != b.String()
	case reflect.Bool:
		return at, a.Bool() != b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return at, a.Int() != b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return at, a.Uint() != b.Uint()
	case reflect.Float32, reflect.Float64:
		if x, y := a.Float(), b.Float(); !math.IsNaN(x) && !math.IsNaN(y) {
			return at, math.Float64bits(x) != math.Float64bits(y)
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return at, true
		}
		if a.Type().Elem().Kind() == reflect.Uint8 { // one part: it is written as a text
			for i := range a.Len() {
				differ = differ || a.Index(i).Uint() != b.Index(i).Uint()
			}
			return at, differ
		}
		return parts(a.Len(), func(i int) (string, reflect.Value, reflect.Value) {
			return "[" + strconv.Itoa(i) + "]", a.Index(i), b.Index(i)
		})
	case reflect.Map:
		if a.Len() != b.Len() {
			return at, true
		}
		keys := a.MapKeys()
		for _, k := range keys {
			if !b.MapIndex(k).IsValid() { // keys may be NaN, or pointers
				return at, OfValue(a, "") != OfValue(b, "")
			}
		}
		return parts(len(keys), func(i int) (string, reflect.Value, reflect.Value) {
			return index(keys[i]), a.MapIndex(keys[i]), b.MapIndex(keys[i])
		})
	case reflect.Struct:
		if isTime(a.Type()) || parsers[a.Type()] != "" {
			break
		}
		return parts(a.NumField(), func(i int) (string, reflect.Value, reflect.Value) {
			return "." + a.Type().Field(i).Name, a.Field(i), b.Field(i)
		})
	}
	return at, OfValue(a, "") != OfValue(b, "")
}

func index(key reflect.Value) string { return "[" + OfValue(key, "") + "]" }

// Part returns the part of v at a path as a Go expression, as a literal of v has it. It reports
// false if there is none.
func Part(v any, at Path, pkg string) (text string, ok bool) {
	x, pl := reflect.ValueOf(v), free
	if len(at) > 0 {
		pl = field
	}
	for _, step := range at {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface {
			x = x.Elem()
		}
		switch {
		case x.Kind() == reflect.Struct && step[0] == '.':
			x = x.FieldByName(step[1:])
		case x.Kind() == reflect.Slice || x.Kind() == reflect.Array:
			i, err := strconv.Atoi(strings.Trim(step, "[]"))
			if err != nil || i < 0 || i >= x.Len() {
				return "", false
			}
			x = x.Index(i)
		case x.Kind() == reflect.Map:
			keys := x.MapKeys()
			i := slices.IndexFunc(keys, func(k reflect.Value) bool { return index(k) == step })
			if i < 0 {
				return "", false
			}
			x = x.MapIndex(keys[i])
		default:
			return "", false
		}
		if !x.IsValid() {
			return "", false
		}
	}
	return layOut(newPrinter(pkg, maxSize).value(x, pl)), true
}

// Marks are comments on parts of a value, by the paths of these.
type Marks map[string]string

// Marked is [Within] with comments. A part with a comment has a line of its own, which the
// comment ends, even if it is a field that is zero. The comments
// on the parts of a short part, and of a short list, stand together.
func Marked(size int, v any, pkg string, marks Marks) (text string, all bool) {
	text, all = ofValue(reflect.ValueOf(v), pkg, size, marks)
	if note := marks[""]; note != "" {
		text += " // " + note
	}
	return text, all
}

// hasMarks reports whether the part at a path, or one of its parts, has a comment.
func (p *printer) hasMarks(at Path) bool {
	s := at.String()
	for m := range p.marks {
		if rest, ok := strings.CutPrefix(m, s); ok && (rest == "" || s == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
