package bigentest

import (
	"math/rand/v2"
	"reflect"
	"unicode/utf8"
	"unsafe"
)

// A perturber makes a value that differs from a given one in one place. It copies the
// parts around that place, and does not change the given value.
type perturber struct {
	r    *rand.Rand
	pkg  string // only this package's types may have unexported fields changed
	left int    // places to pass by; negative: count them
	seen int
}

const (
	maxPlaces      = 1000
	maxPlacesDepth = 100
)

// perturbed returns a value close to v, or false if it finds nothing to change.
func perturbed(v any, pkg string, r *rand.Rand) (any, bool) {
	p := &perturber{r: r, pkg: pkg, left: -1}
	p.value(reflect.ValueOf(v), 0)
	if p.seen == 0 {
		return v, false
	}
	p.left, p.seen = r.IntN(p.seen), 0
	w, ok := p.value(reflect.ValueOf(v), 0)
	if !ok {
		return v, false
	}
	return w.Interface(), true
}

// value returns v changed at the place looked for, if that is in v.
func (p *perturber) value(v reflect.Value, depth int) (reflect.Value, bool) {
	if p.seen >= maxPlaces || depth > maxPlacesDepth {
		return v, false
	}
	switch v.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if p.here() {
			return p.leaf(v), true
		}
	case reflect.Pointer, reflect.Interface, reflect.Slice:
		if v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
			return v, false
		}
		switch {
		case v.Kind() == reflect.Interface || !p.here():
			return p.parts(v, depth)
		case v.Kind() == reflect.Pointer:
			return reflect.Zero(v.Type()), true
		}
		return p.slice(v), true
	case reflect.Array, reflect.Struct:
		return p.parts(v, depth)
	}
	return v, false
}

// parts returns a copy of v, one of whose parts is changed, if the place is in one.
func (p *perturber) parts(v reflect.Value, depth int) (reflect.Value, bool) {
	w := reflect.New(v.Type()).Elem() // addressable
	w.Set(v)
	part, n := w.Index, 0
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		n, part = 1, func(int) reflect.Value { return v.Elem() }
	case reflect.Slice:
		w, n = copyOf(v), v.Len()
		part = w.Index
	case reflect.Array:
		n = v.Len()
	case reflect.Struct:
		n, part = v.NumField(), w.Field
	}
	for i := range n {
		to := part(i)
		if v.Kind() == reflect.Struct {
			if f := v.Type().Field(i); !f.IsExported() {
				if f.PkgPath != p.pkg {
					return v, false // to keep its promises is its package's business
				}
				// The test could assign this field itself; reflect would not know.
				to = reflect.NewAt(f.Type, unsafe.Pointer(to.UnsafeAddr())).Elem()
			}
		}
		x, ok := p.value(to, depth+1)
		switch {
		case !ok:
			continue
		case v.Kind() == reflect.Pointer:
			to = reflect.New(v.Type().Elem())
			to.Elem().Set(x)
			return to.Convert(v.Type()), true
		case v.Kind() == reflect.Interface:
			w.Set(x)
		default:
			to.Set(x)
		}
		return w, true
	}
	return v, false
}

// here reports whether this is the place.
func (p *perturber) here() bool {
	p.seen++
	p.left--
	return p.left == -1
}

func (p *perturber) leaf(v reflect.Value) reflect.Value {
	w := reflect.New(v.Type()).Elem()
	w.Set(v)
	delta := []int64{1, -1, 100, -100}[p.r.IntN(4)]
	switch k := v.Kind(); {
	case k == reflect.Bool:
		w.SetBool(!v.Bool())
	case k == reflect.String:
		s := v.String()
		_, last := utf8.DecodeLastRuneInString(s)
		w.SetString([]string{s + "a", " " + s, s[:len(s)-last]}[p.r.IntN(3)])
	case w.CanInt():
		w.SetInt(v.Int() + delta)
	case w.CanUint():
		w.SetUint(v.Uint() + uint64(delta))
	case w.CanFloat():
		w.SetFloat(v.Float() + float64(delta))
	}
	return w
}

// slice exchanges two elements, removes one or repeats one.
func (p *perturber) slice(v reflect.Value) reflect.Value {
	n := v.Len()
	i, j := p.r.IntN(n), p.r.IntN(n)
	w := copyOf(v)
	switch p.r.IntN(4) {
	case 0:
		return reflect.Append(w, v.Index(i))
	case 1:
		if n == 1 {
			return reflect.Zero(v.Type())
		}
		return reflect.AppendSlice(w.Slice(0, i), v.Slice(i+1, n))
	}
	reflect.Swapper(w.Interface())(i, j)
	return w
}

func copyOf(v reflect.Value) reflect.Value {
	w := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(w, v)
	return w
}
