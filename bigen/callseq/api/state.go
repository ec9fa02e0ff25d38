package api

import (
	"cmp"
	"math"
	"math/bits"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"
)

// A fingerprint tells states of values apart. It walks all that can be reached from a value,
// with these rules:
//
//   - Pointers, maps and channels count by the order in which they are first reached, so
//     equal structures at other addresses are the same.
//   - The entries of a map are walked in the order of the hashes of their keys.
//   - Functions count by their code, floats by their bits.
//   - Values of packages time, sync and math/rand, such as locks, are left out.
//   - A walk ends after maxNodes parts.
type fingerprint struct {
	hash  uint64
	left  int  // parts that may still be walked
	peek  bool // pointers get no number
	plans map[reflect.Type]*plan
	seen  pointers
}

// maxNodes bounds the parts of values that a fingerprint tells apart.
const maxNodes = 2048

// begin begins a walk.
func (f *fingerprint) begin() {
	f.hash, f.left, f.peek = 0x9e3779b97f4a7c15, maxNodes, false
	f.seen.clear()
}

// add walks a value.
func (f *fingerprint) add(v reflect.Value) {
	if !v.IsValid() {
		f.mix(1)
		return
	}
	f.walk(f.planOf(v.Type()), v)
}

// stateOf returns the fingerprint of a value.
func stateOf(v any) uint64 {
	var f fingerprint
	f.begin()
	f.add(reflect.ValueOf(v))
	return f.hash
}

// A plan says how to walk values of a type.
type plan struct {
	id     uint64 // of the type, in this process
	kind   reflect.Kind
	skip   bool
	elem   *plan // of pointers, slices, arrays; the values of maps
	key    *plan
	fields []fieldPlan
	bytes  bool // it is a []byte
}

type fieldPlan struct {
	index int
	plan  *plan
}

// skipped are packages whose values have no state that tells sequences apart.
var skipped = []string{"hash/maphash", "internal/sync", "math/rand", "math/rand/v2", "sync", "time"}

func (f *fingerprint) planOf(t reflect.Type) *plan {
	if p := f.plans[t]; p != nil {
		return p
	}
	p := &plan{id: uint64(reflect.ValueOf(t).Pointer()), kind: t.Kind()}
	if f.plans == nil {
		f.plans = map[reflect.Type]*plan{}
	}
	f.plans[t] = p
	pkg := t.PkgPath()
	if i := strings.LastIndex(pkg, "/vendor/"); i >= 0 {
		pkg = pkg[i+len("/vendor/"):]
	}
	p.skip = slices.Contains(skipped, pkg) && t.Kind() == reflect.Struct
	if p.skip {
		return p
	}
	switch t.Kind() {
	case reflect.Map:
		p.key = f.planOf(t.Key())
		p.elem = f.planOf(t.Elem())
	case reflect.Slice:
		p.bytes = t.Elem().Kind() == reflect.Uint8
		p.elem = f.planOf(t.Elem())
	case reflect.Pointer, reflect.Array:
		p.elem = f.planOf(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if field := f.planOf(t.Field(i).Type); !field.skip && t.Field(i).Name != "_" {
				p.fields = append(p.fields, fieldPlan{i, field})
			}
		}
	}
	return p
}

func (f *fingerprint) mix(x uint64) {
	hi, lo := bits.Mul64(f.hash^x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	f.hash = hi ^ lo + 0x8ebc6af09c88c6e3
}

func (f *fingerprint) text(s string) {
	f.mix(uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		f.mix(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
	}
	var rest uint64
	for i := range len(s) {
		rest = rest<<8 | uint64(s[i])
	}
	f.mix(rest)
}

// walk walks a part of a value.
func (f *fingerprint) walk(p *plan, v reflect.Value) {
	if f.left--; f.left < 0 || p.skip {
		return
	}
	switch p.kind {
	case reflect.Bool:
		if v.Bool() {
			f.mix(3)
		} else {
			f.mix(2)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f.mix(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		f.mix(v.Uint())
	case reflect.Float32, reflect.Float64:
		f.mix(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		f.mix(math.Float64bits(real(c)))
		f.mix(math.Float64bits(imag(c)))
	case reflect.String:
		f.text(v.String())
	case reflect.Struct:
		for i := range p.fields {
			f.walk(p.fields[i].plan, v.Field(p.fields[i].index))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.walk(p.elem, v.Index(i))
		}
	case reflect.Interface:
		if v.IsNil() {
			f.mix(4)
			return
		}
		e := v.Elem()
		of := f.planOf(e.Type())
		f.mix(of.id)
		f.walk(of, e)
	case reflect.Pointer:
		if f.enter(p, v) {
			f.walk(p.elem, v.Elem())
		}
	case reflect.Slice:
		n := v.Len()
		f.mix(uint64(n))
		switch {
		case n == 0:
			if v.IsNil() {
				f.mix(5)
			}
		case p.bytes:
			f.text(string(v.Bytes()))
		default:
			f.enter(p, v) // slices may share their elements
			for i := 0; i < n && f.left > 0; i++ {
				f.walk(p.elem, v.Index(i))
			}
		}
	case reflect.Map:
		if f.enter(p, v) {
			f.entries(p, v)
		}
	case reflect.Func:
		f.mix(uint64(v.Pointer()))
	case reflect.Chan:
		if f.enter(p, v) {
			f.mix(uint64(v.Len()))
		}
	case reflect.UnsafePointer:
		f.enter(p, v)
	}
}

// enter begins to walk what v refers to, unless that has been walked, or v is nil.
func (f *fingerprint) enter(p *plan, v reflect.Value) bool {
	at := uint64(v.Pointer())
	if at == 0 {
		f.mix(6)
		return false
	}
	n, known := f.seen.number(at^bits.RotateLeft64(p.id, 32), !f.peek)
	if known || !f.peek {
		f.mix(uint64(n)<<8 | 7)
	}
	return !known
}

// entries walks the entries of a map.
func (f *fingerprint) entries(p *plan, v reflect.Value) {
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
		f.walk(p.key, it.Key())
		list = append(list, entry{f.hash, it.Value()})
	}
	f.hash, f.left, f.peek = hash, left-len(list), peek
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.hash, b.hash) })
	for _, e := range list {
		f.mix(e.hash)
		f.walk(p.elem, e.value)
	}
}

// pointers numbers pointers in the order in which they are first seen.
type pointers struct {
	table []pointerEntry // open addressing
	epoch uint32
	n     uint32
}

type pointerEntry struct {
	key   uint64
	epoch uint32
	n     uint32
}

func (s *pointers) clear() {
	if s.table == nil {
		s.table = make([]pointerEntry, 2*maxNodes)
	}
	s.n = 0
	if s.epoch++; s.epoch == 0 {
		clear(s.table)
		s.epoch = 1
	}
}

// number returns the number of a pointer. If it is not known, and add is set, it gets the next.
func (s *pointers) number(key uint64, add bool) (n uint32, known bool) {
	mask := uint64(len(s.table) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		e := &s.table[i&mask]
		if e.epoch != s.epoch {
			if add {
				s.n++
				*e = pointerEntry{key, s.epoch, s.n}
			}
			return s.n, false
		}
		if e.key == key {
			return e.n, true
		}
	}
}
