package api

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"
	"runtime"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/hash"
)

// A fingerprint tells states of values apart. It walks all that can be reached from a value,
// with these rules:
//
//   - Pointers, maps and channels count by the order in which they are first reached, so
//     equal structures at other addresses are the same.
//   - The entries of a map are walked in the order of the hashes of their keys.
//   - Functions count by their code, floats by their bits. What a closure has captured cannot be
//     seen, so a value that refers to one is vague.
//   - Values of packages time, sync and math/rand, such as locks, are left out.
//   - A walk ends after maxNodes parts.
type fingerprint struct {
	hash   uint64
	left   int  // parts that may still be walked
	peek   bool // pointers get no number
	vague  bool // a closure has been reached
	seen   map[reference]uint64
	fields map[reflect.Type][]int // those that are walked
	closes map[uintptr]bool       // which functions may be closures, by code
}

// A reference is what a pointer, or a value like one, refers to.
type reference struct {
	at  uintptr
	typ reflect.Type
}

// maxNodes bounds the parts of values that a fingerprint tells apart.
const maxNodes = 2048

// begin begins a walk.
func (f *fingerprint) begin() {
	f.hash, f.left, f.peek, f.vague = 0x9e3779b97f4a7c15, maxNodes, false, false
	if f.seen == nil {
		f.seen, f.fields = map[reference]uint64{}, map[reflect.Type][]int{}
		f.closes = map[uintptr]bool{}
	}
	clear(f.seen)
}

// skipped are packages whose values have no state that tells sequences apart.
var skipped = []string{"hash/maphash", "internal/sync", "math/rand", "math/rand/v2", "sync", "time"}

func skips(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && slices.Contains(skipped, t.PkgPath())
}

// fieldsOf returns the fields of a struct type that are walked.
func (f *fingerprint) fieldsOf(t reflect.Type) []int {
	list, known := f.fields[t]
	if !known && !skips(t) {
		for i := range t.NumField() {
			if field := t.Field(i); field.Name != "_" && !skips(field.Type) {
				list = append(list, i)
			}
		}
	}
	if !known {
		f.fields[t] = list
	}
	return list
}

func (f *fingerprint) mix(x uint64) { f.hash = hash.Mix(f.hash, x) }

// walk walks a value, or a part of one.
func (f *fingerprint) walk(v reflect.Value) {
	if f.left--; f.left < 0 {
		return
	}
	switch {
	case !v.IsValid():
		f.mix(1)
	case v.CanInt():
		f.mix(uint64(v.Int()))
	case v.CanUint():
		f.mix(v.Uint())
	case v.CanFloat():
		f.mix(math.Float64bits(v.Float()))
	case v.CanComplex():
		f.mix(math.Float64bits(real(v.Complex())))
		f.mix(math.Float64bits(imag(v.Complex())))
	}
	switch v.Kind() {
	case reflect.Bool:
		f.mix(2)
		if v.Bool() {
			f.mix(3)
		}
	case reflect.String:
		f.mix(hash.FNV64(v.String()))
	case reflect.Struct:
		for _, i := range f.fieldsOf(v.Type()) {
			f.walk(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.walk(v.Index(i))
		}
	case reflect.Interface:
		if !v.IsNil() {
			f.mix(uint64(reflect.ValueOf(v.Elem().Type()).Pointer()))
		}
		f.walk(v.Elem())
	case reflect.Pointer:
		if f.enter(v) {
			f.walk(v.Elem())
		}
	case reflect.Slice:
		n := v.Len()
		f.mix(uint64(n))
		switch {
		case n == 0:
			if v.IsNil() {
				f.mix(5)
			}
		case v.Type().Elem().Kind() == reflect.Uint8:
			b := v.Bytes()
			for ; len(b) >= 8; b = b[8:] {
				f.mix(binary.LittleEndian.Uint64(b))
			}
			f.mix(hash.FNV64(b))
		default:
			f.enter(v) // slices may share their elements
			for i := 0; i < n && f.left > 0; i++ {
				f.walk(v.Index(i))
			}
		}
	case reflect.Map:
		if f.enter(v) {
			f.entries(v)
		}
	case reflect.Func:
		f.mix(uint64(v.Pointer()))
		f.vague = f.vague || f.isClosure(v.Pointer())
	case reflect.Chan:
		if f.enter(v) {
			f.mix(uint64(v.Len()))
		}
	case reflect.UnsafePointer:
		f.enter(v)
	}
}

// isClosure reports whether a function may have captured variables: a literal, or the method of a
// value.
func (f *fingerprint) isClosure(code uintptr) bool {
	is, known := f.closes[code]
	if !known {
		if fn := runtime.FuncForPC(code); fn != nil {
			name := fn.Name()
			name = name[strings.LastIndexByte(name, '/')+1:]
			is = strings.Contains(name, ".func") || strings.HasSuffix(name, "-fm")
		}
		f.closes[code] = is
	}
	return is
}

// enter begins to walk what v refers to, unless that has been walked, or v is nil.
func (f *fingerprint) enter(v reflect.Value) bool {
	to := reference{v.Pointer(), v.Type()}
	if to.at == 0 {
		f.mix(6)
		return false
	}
	n, known := f.seen[to]
	if !known && !f.peek {
		n = uint64(len(f.seen) + 1)
		f.seen[to] = n
	}
	if known || !f.peek {
		f.mix(n<<8 | 7)
	}
	return !known
}

// entries walks the entries of a map.
func (f *fingerprint) entries(v reflect.Value) {
	type entry struct {
		hash  uint64
		value reflect.Value
	}
	f.mix(uint64(v.Len()))
	list := make([]entry, 0, min(v.Len(), maxNodes))
	hash, left, peek := f.hash, f.left, f.peek
	f.peek = true
	for it := v.MapRange(); it.Next() && len(list) < cap(list); {
		f.hash = 0
		f.left = min(left, 64)
		f.walk(it.Key())
		list = append(list, entry{f.hash, it.Value()})
	}
	f.hash, f.left, f.peek = hash, left-len(list), peek
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.hash, b.hash) })
	for _, e := range list {
		f.mix(e.hash)
		f.walk(e.value)
	}
}
