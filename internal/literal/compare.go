package literal

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
)

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
	c := comparison{
		values: values,
		found:  found,
		seen:   map[[2]uintptr]bool{},
		types:  map[reflect.Type]*about{},
	}
	c.walk(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
}

// A comparison is one call of compare.
type comparison struct {
	values bool // as == has it, not as literals show it: nil differs from empty, 0 is the same as -0
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

// differ records that the part that is compared differs. It reports whether to look for more
// differences.
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

// walk compares two parts of one type. It reports whether to look for more differences.
func (c *comparison) walk(a, b reflect.Value) (more bool) {
	switch a.Kind() {
	case reflect.Interface:
		return c.interfaces(a, b)
	case reflect.Pointer:
		return c.pointers(a, b)
	case reflect.Struct:
		return c.structs(a, b)
	case reflect.Slice, reflect.Array:
		return c.list(a, b)
	case reflect.Map:
		return c.entries(a, b)
	}
	return c.same(a, b) || c.differ()
}

// same reports whether two parts without parts are the same.
func (c *comparison) same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return a.Uint() == b.Uint()
	case reflect.Float32, reflect.Float64:
		return c.sameFloats(a, b)
	}
	return OfValue(a, "") == OfValue(b, "")
}

func (c *comparison) sameFloats(a, b reflect.Value) bool {
	x, y := a.Float(), b.Float()
	if c.values {
		return x == y || math.IsNaN(x) && math.IsNaN(y)
	}
	return math.Float64bits(x) == math.Float64bits(y) || OfValue(a, "") == OfValue(b, "") // NaNs
}

// interfaces compares what two interfaces hold.
func (c *comparison) interfaces(a, b reflect.Value) (more bool) {
	switch {
	case a.IsNil() || b.IsNil():
		return a.IsNil() == b.IsNil() || c.differ()
	case a.Elem().Type() != b.Elem().Type():
		return c.differ()
	}
	return c.walk(a.Elem(), b.Elem())
}

// pointers compares what two pointers point to, once.
func (c *comparison) pointers(a, b reflect.Value) (more bool) {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil() || c.differ()
	}
	pair := [2]uintptr{a.Pointer(), b.Pointer()}
	if c.seen[pair] {
		return true
	}
	c.seen[pair] = true
	isMessage := a.Elem().Kind() == reflect.Struct && c.about(a.Elem().Type()).message
	if isMessage && a.CanInterface() && b.CanInterface() {
		return c.messages(a, b)
	}
	return c.walk(a.Elem(), b.Elem())
}

// messages compares pointers to protobuf messages: as a whole if Go code cannot reach their
// fields, and otherwise field by field.
func (c *comparison) messages(a, b reflect.Value) (more bool) {
	same, known := EqualMessages(a.Interface(), b.Interface())
	_, _, hidden := MessageText(a.Interface(), "")
	switch {
	case !known:
		return c.walk(a.Elem(), b.Elem())
	case same:
		return true
	case hidden:
		return c.differ()
	}
	before := c.differing
	if !c.walk(a.Elem(), b.Elem()) {
		return false
	}
	return c.differing > before || c.differ() // in extensions, if no field differs
}

// structs compares structs by their fields, or as a whole if they are written as one.
func (c *comparison) structs(a, b reflect.Value) (more bool) {
	t := c.about(a.Type())
	if t.whole {
		return OfValue(a, "") == OfValue(b, "") || c.differ()
	}
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

// about returns what a comparison needs to know about a type of structs.
func (c *comparison) about(t reflect.Type) *about {
	if a := c.types[t]; a != nil {
		return a
	}
	a := &about{whole: isTime(t) || parsers[t] != "", message: IsMessage(t)}
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
	hidden  []bool // by field of a message: it is not a part of the value
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

// lengths finds the length of slices as a difference, and the first element that differs. Later
// elements may be the same, but at other indices.
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
	other := comparison{
		values: c.values,
		seen:   map[[2]uintptr]bool{},
		types:  c.types,
		found:  func(Path) bool { found = true; return false },
	}
	other.walk(a, b)
	return !found
}

// entries compares maps, by keys as they are written: they may be NaN, or pointers.
func (c *comparison) entries(a, b reflect.Value) (more bool) {
	x, y := byKey(a), byKey(b)
	all := maps.Clone(x)
	maps.Copy(all, y)
	if c.values && a.IsNil() != b.IsNil() || a.Len()-len(x) != b.Len()-len(y) ||
		!c.values && len(all) > min(len(x), len(y)) {
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
	for i := m.MapRange(); i.Next(); { // also of NaN, which no look-up finds
		all[index(i.Key())] = i.Value()
	}
	return all
}
