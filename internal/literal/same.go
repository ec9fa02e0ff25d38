package literal

import "reflect"

// Same reports whether two values of one type are equal for those who write them as
// literals: pointers by what they point to, NaN to itself. Slices and maps without elements
// are the same, whether they are nil or not. Values must not be cyclic.
func Same(a, b any) bool { return same(reflect.ValueOf(a), reflect.ValueOf(b)) }

func same(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return a.IsValid() == b.IsValid() && !a.IsValid()
	}
	switch a.Kind() {
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for k, v := range a.Seq2() {
			if w := b.MapIndex(k); !w.IsValid() || !same(v, w) {
				return OfValue(a, "") == OfValue(b, "") // keys may be NaN, or pointers
			}
		}
		return true
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return true
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		if hidden(a.Type()) && OfValue(a, "") == OfValue(b, "") {
			return true // such as a time.Time
		}
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return OfValue(a, "") == OfValue(b, "")
}

// hidden reports whether a struct has unexported fields.
func hidden(t reflect.Type) bool {
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}
