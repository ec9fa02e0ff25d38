package bug

import (
	"reflect"

	"github.com/espalier-go/espalier/internal/literal"
)

// sizeOf returns how many bytes the literal of a value has. Empty slices and maps count as nil,
// since bigen makes the one where rapid makes the other.
func sizeOf[V any](v V) int {
	dropEmpty(reflect.ValueOf(&v).Elem())
	return len(literal.Of(v, ""))
}

// dropEmpty makes empty slices and maps nil, in copies of what v refers to.
func dropEmpty(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				dropEmpty(f)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
			return
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(s, v)
		for i := range s.Len() {
			dropEmpty(s.Index(i))
		}
		v.Set(s)
	case reflect.Map:
		if v.Len() == 0 {
			v.SetZero()
			return
		}
		m := reflect.MakeMap(v.Type())
		for key, e := range v.Seq2() {
			m.SetMapIndex(key, copyOf(e))
		}
		v.Set(m)
	case reflect.Pointer:
		if !v.IsNil() {
			v.Set(copyOf(v.Elem()).Addr())
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(copyOf(v.Elem()))
		}
	}
}

func copyOf(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	dropEmpty(c)
	return c
}
