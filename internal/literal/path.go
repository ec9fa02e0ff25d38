package literal

import (
	"reflect"
	"strconv"
	"strings"
)

// A Path says where a part of a value is: the names of fields, each after a dot, and
// indices in brackets. Pointers and interfaces add nothing. The path of the value is empty.
type Path []string

func (p Path) String() string {
	if n := len(p) - 1; n > 0 && p[n] == length {
		return "len(" + p[:n].String() + ")"
	}
	return strings.TrimPrefix(strings.Join(p, ""), ".")
}

// length is the step to the length of a list.
const length = "len"

// Within reports whether the part at p is the part at q, or one of its parts.
func (p Path) Within(q Path) bool { return len(p.Common(q)) == len(q) }

// Common returns the path of the smallest part that has the parts at p and q.
func (p Path) Common(q Path) Path {
	n := 0
	for n < len(p) && n < len(q) && p[n] == q[n] {
		n++
	}
	return p[:n:n]
}

// Part returns the part of v at a path as a Go expression, as a literal of v has it. It reports
// false if there is none, and then returns no text, or if it is cut at size bytes.
func Part(size int, v any, at Path, pkg string) (text string, ok bool) {
	n, ok := part(size, v, at, pkg)
	if n == nil {
		return "", false
	}
	return Format(layOut(n)), ok
}

// Line is Part without line breaks, which costs little.
func Line(size int, v any, at Path, pkg string) (text string, ok bool) {
	n, ok := part(size, v, at, pkg)
	if n == nil {
		return "", false
	}
	return n.flat(), ok
}

// part returns the part of v at a path, or nil if there is none, and whether it is complete.
func part(size int, v any, at Path, pkg string) (n *node, ok bool) {
	x, pl := reflect.ValueOf(v), free
	if len(at) > 0 {
		pl = field
	}
	for _, step := range at {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface {
			x = x.Elem()
		}
		if step == length {
			return &node{open: strconv.Itoa(x.Len())}, true
		}
		if x = partAfter(x, step); !x.IsValid() {
			return nil, false
		}
	}
	p := newPrinter(pkg, size)
	n = p.value(x, pl)
	return n, !p.full
}

// partAfter returns the part of x that a step of a path leads to, or the zero Value.
func partAfter(x reflect.Value, step string) reflect.Value {
	switch x.Kind() {
	case reflect.Struct:
		if name, ok := strings.CutPrefix(step, "."); ok {
			return x.FieldByName(name)
		}
	case reflect.Slice, reflect.Array:
		return elementAt(x, step)
	case reflect.Map:
		return valueAt(x, step)
	}
	return reflect.Value{}
}

func elementAt(list reflect.Value, step string) reflect.Value {
	i, err := strconv.Atoi(strings.Trim(step, "[]"))
	if err != nil || i < 0 || i >= list.Len() {
		return reflect.Value{}
	}
	return list.Index(i)
}

func valueAt(m reflect.Value, step string) reflect.Value {
	for _, key := range m.MapKeys() {
		if index(key) == step {
			return m.MapIndex(key)
		}
	}
	return reflect.Value{}
}

func index(key reflect.Value) string { return "[" + OfValue(key, "") + "]" }
