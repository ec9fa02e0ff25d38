package literal

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/internal/message"
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

// Within reports whether the part at p is the part at q, or a part of it.
func (p Path) Within(q Path) bool { return len(p.Common(q)) == len(q) }

// Common returns the path of the smallest part that contains the parts at p and q.
func (p Path) Common(q Path) Path {
	n := 0
	for n < len(p) && n < len(q) && p[n] == q[n] {
		n++
	}
	return p[:n:n]
}

// Same reports whether two values of one type are equal as literals: pointers are compared
// by what they point to, and NaN equals itself. Slices and maps without elements are the
// same, whether they are nil or not.
func Same(a, b any) bool {
	_, differ := Difference(a, b)
	return !differ
}

// Difference returns the path of the smallest part that has all differences between two values
// of one type. It reports false if they are the same.
func Difference(a, b any) (p Path, differ bool) {
	compare(a, b, false, func(at Path) (more bool) {
		if differ {
			at = p.Common(at)
		}
		p, differ = at, true
		return len(p) > 0
	})
	return p, differ
}

// Differences returns the paths of the smallest parts in which two values of one type differ, but
// no more than most, and returns how many others there are. For long slices with different lengths,
// these are the length and the first element that differs. For maps, they include the keys that one
// of them lacks. Slices and maps without elements differ if one is nil. 0 is the same as -0, and
// NaN the same as NaN.
func Differences(a, b any, most int) (places []Path, others int) {
	compare(a, b, true, func(at Path) (more bool) {
		if len(places) < most {
			places = append(places, at)
		} else {
			others++
		}
		return true
	})
	return places, others
}

// compare calls found with the path of each smallest part that differs, until it returns false.
func compare(a, b any, values bool, found func(at Path) (more bool)) {
	c := comparison{values: values, found: found, seen: map[[2]uintptr]bool{}, types: map[reflect.Type]*about{}}
	c.walk(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
}

// A comparison is one call of compare.
type comparison struct {
	values bool // as == compares, not as literals show it: nil is not empty, and 0 is -0
	found  func(at Path) (more bool)
	seen   map[[2]uintptr]bool     // pairs of pointers that have been compared: values may be cyclic
	around []step                  // from the whole to the part that is compared
	types  map[reflect.Type]*about // of structs

	differing int // parts that differ, so far
}

// A step leads from a value to one of its parts: to field i, to element i, or to the element of
// a key.
type step struct {
	of  reflect.Value
	i   int
	key string // the element of the path, unless it is i; also the step to the length of a list
}

// differ records that the part that is compared differs.
func (c *comparison) differ() (more bool) {
	c.differing++
	at := Path{}
	for _, s := range c.around {
		switch {
		case s.key != "":
			at = append(at, s.key)
		case s.of.Kind() == reflect.Struct:
			at = append(at, "."+s.of.Type().Field(s.i).Name)
		default:
			at = append(at, "["+strconv.Itoa(s.i)+"]")
		}
	}
	return c.found(at)
}

// into compares parts to which a step leads. If one of them is missing, they differ.
func (c *comparison) into(s step, a, b reflect.Value) (more bool) {
	c.around = append(c.around, s)
	if a.IsValid() && b.IsValid() {
		more = c.walk(a, b)
	} else {
		more = c.differ()
	}
	c.around = c.around[:len(c.around)-1]
	return more
}

// walk compares two parts of one type. It reports whether to continue.
func (c *comparison) walk(a, b reflect.Value) (more bool) {
	differ := false
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		switch {
		case a.IsNil() || b.IsNil():
			return a.IsNil() == b.IsNil() || c.differ()
		case a.Elem().Type() != b.Elem().Type():
			return c.differ()
		}
		if a.Kind() == reflect.Pointer {
			pair := [2]uintptr{a.Pointer(), b.Pointer()}
			if c.seen[pair] {
				return true
			}
			c.seen[pair] = true
			isMessage := a.Elem().Kind() == reflect.Struct && c.about(a.Elem().Type()).message
			if isMessage && a.CanInterface() && b.CanInterface() {
				same, known := message.Equal(a.Interface(), b.Interface())
				_, _, hidden := message.Text(a.Interface(), "")
				if known && (same || hidden) {
					return same || c.differ()
				}
				if n := c.differing; known { // in extensions, if it is not in fields
					return c.walk(a.Elem(), b.Elem()) && (c.differing > n || c.differ())
				}
			}
		}
		return c.walk(a.Elem(), b.Elem())
	case reflect.String:
		differ = a.String() != b.String()
	case reflect.Bool:
		differ = a.Bool() != b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		differ = a.Int() != b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		differ = a.Uint() != b.Uint()
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		if c.values {
			differ = x != y && !(math.IsNaN(x) && math.IsNaN(y))
		} else {
			differ = math.Float64bits(x) != math.Float64bits(y) && OfValue(a, "") != OfValue(b, "") // NaNs
		}
	case reflect.Slice, reflect.Array:
		return c.list(a, b)
	case reflect.Map:
		return c.entries(a, b)
	case reflect.Struct:
		if t := c.about(a.Type()); !t.whole {
			for i := range a.NumField() {
				if t.message && t.hidden[i] {
					continue
				}
				if !c.into(step{of: a, i: i}, a.Field(i), b.Field(i)) {
					return false
				}
			}
			return true
		}
		differ = OfValue(a, "") != OfValue(b, "")
	default:
		differ = OfValue(a, "") != OfValue(b, "")
	}
	return !differ || c.differ()
}

// about returns what a comparison needs to know about a type of structs.
func (c *comparison) about(t reflect.Type) *about {
	if a := c.types[t]; a != nil {
		return a
	}
	a := &about{whole: isTime(t) || parsers[t] != "", message: message.Is(t)}
	if a.message {
		for i := range t.NumField() {
			f := t.Field(i)
			a.hidden = append(a.hidden, !f.IsExported() && f.Name != "unknownFields")
		}
	}
	c.types[t] = a
	return a
}

// about says how values of a type of structs are compared.
type about struct {
	whole   bool // as they are written
	message bool
	hidden  []bool // fields of a message that are not part of the value
}

// list compares slices or arrays.
func (c *comparison) list(a, b reflect.Value) (more bool) {
	isText := a.Type().Elem().Kind() == reflect.Uint8 // one part: it is written as a text
	switch {
	case a.Kind() == reflect.Slice && c.values && a.IsNil() != b.IsNil():
		return c.differ()
	case a.Len() == b.Len():
	case !c.values || isText || len(OfValue(a, "")) <= shortList && len(OfValue(b, "")) <= shortList:
		return c.differ()
	default:
		return c.lengths(a, b)
	}
	for i := range a.Len() {
		if isText && a.Index(i).Uint() != b.Index(i).Uint() {
			return c.differ()
		}
		if !isText && !c.into(step{of: a, i: i}, a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

// shortList is the maximum number of bytes of a list that a difference in length shows as a
// whole.
const shortList = 100

// lengths finds the length of slices as a difference, and the first element that differs. What
// follows it may be the same, but at other indices.
func (c *comparison) lengths(a, b reflect.Value) (more bool) {
	none := reflect.Value{}
	if !c.into(step{of: a, key: length}, none, none) {
		return false
	}
	for i := range max(a.Len(), b.Len()) {
		x, y := none, none
		if i < a.Len() {
			x = a.Index(i)
		}
		if i < b.Len() {
			y = b.Index(i)
		}
		if x.IsValid() && y.IsValid() && c.equal(x, y) {
			continue
		}
		return c.into(step{of: a, i: i}, x, y)
	}
	return true
}

// equal reports whether two parts of one type have no difference.
func (c *comparison) equal(a, b reflect.Value) bool {
	found := false
	other := comparison{values: c.values, seen: map[[2]uintptr]bool{}, types: c.types, found: func(Path) bool { found = true; return false }}
	other.walk(a, b)
	return !found
}

// entries compares maps, by keys as they are written: they may be NaN, or pointers.
func (c *comparison) entries(a, b reflect.Value) (more bool) {
	x, y := byKey(a), byKey(b)
	all := maps.Clone(x)
	maps.Copy(all, y)
	if c.values && a.IsNil() != b.IsNil() || a.Len()-len(x) != b.Len()-len(y) || !c.values && len(all) > min(len(x), len(y)) {
		return c.differ()
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !c.into(step{of: a, key: key}, x[key], y[key]) {
			return false
		}
	}
	return true
}

// byKey returns the elements of a map by its keys, as a path has them.
func byKey(m reflect.Value) map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for i := m.MapRange(); i.Next(); { // also for NaN, which cannot be looked up
		all[index(i.Key())] = i.Value()
	}
	return all
}

func index(key reflect.Value) string { return "[" + OfValue(key, "") + "]" }

// Part returns the part of v at a path as a Go expression, as a literal of v has it. It reports
// false, with an empty text, if there is no such part. It also reports false if the text has
// more than size bytes and is cut.
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
		switch {
		case step == length:
			return &node{open: strconv.Itoa(x.Len())}, true
		case x.Kind() == reflect.Struct && step[0] == '.':
			x = x.FieldByName(step[1:])
		case x.Kind() == reflect.Slice || x.Kind() == reflect.Array:
			i, err := strconv.Atoi(strings.Trim(step, "[]"))
			if err != nil || i < 0 || i >= x.Len() {
				return nil, false
			}
			x = x.Index(i)
		case x.Kind() == reflect.Map:
			keys := x.MapKeys()
			i := slices.IndexFunc(keys, func(k reflect.Value) bool { return index(k) == step })
			if i < 0 {
				return nil, false
			}
			x = x.MapIndex(keys[i])
		default:
			return nil, false
		}
		if !x.IsValid() {
			return nil, false
		}
	}
	p := newPrinter(pkg, size)
	n = p.value(x, pl)
	return n, !p.full
}

// Marks are comments on parts of a value, by the paths of the parts.
type Marks map[string]string

// Marked is [Within] with comments. A part with a comment has a line of its own, which
// ends with the comment, even if it is a field that is zero. The comments on the parts of
// a short part, and of a short list, are joined.
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
