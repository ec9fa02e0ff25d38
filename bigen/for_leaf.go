package bigen

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"
)

// known has the generators of types that [For] does not derive. To make it know
// another, add it here.
var known = map[reflect.Type]dyn{}

// leafOfType has what For makes of types that a tag can describe, in other words than
// those of their kind; leafOfKind, of all types of a kind, whose values are
// represented alike.
var (
	leafOfType = map[reflect.Type]leaf{
		reflect.TypeFor[time.Duration](): integers(time.ParseDuration),
	}
	leafOfKind = map[reflect.Kind]leaf{
		reflect.Bool:       &leafOf[bool]{all: Bool()},
		reflect.Int:        integers(parseInt[int]),
		reflect.Int8:       integers(parseInt[int8]),
		reflect.Int16:      integers(parseInt[int16]),
		reflect.Int32:      integers(parseInt[int32]),
		reflect.Int64:      integers(parseInt[int64]),
		reflect.Uint:       integers(parseUint[uint]),
		reflect.Uint8:      integers(parseUint[uint8]),
		reflect.Uint16:     integers(parseUint[uint16]),
		reflect.Uint32:     integers(parseUint[uint32]),
		reflect.Uint64:     integers(parseUint[uint64]),
		reflect.Uintptr:    integers(parseUint[uintptr]),
		reflect.Float32:    &leafOf[float32]{all: fractions[float32](), parse: parseFloat[float32]},
		reflect.Float64:    &leafOf[float64]{all: fractions[float64](), parse: parseFloat[float64]},
		reflect.Complex64:  complexes(fractions[float32]()),
		reflect.Complex128: complexes(fractions[float64]()),
		reflect.String:     &leafOf[string]{all: textLeaf(0, maxText), parse: func(s string) (string, error) { return s, nil }},
	}
)

// maxText is how many runes a string has at most, unless a tag tells.
const maxText = 256

// leaf makes the values of types without parts: all, or those that a tag describes.
type leaf interface {
	any() dyn
	between(lo, hi string) (dyn, error)
	oneOf(texts []string) (dyn, error)
}

// leaf returns the generator of a type of which k holds.
func (d *derivation) leaf(t reflect.Type, k constraint) (g dyn) {
	l := leafOfType[t]
	if l == nil {
		l = leafOfKind[t.Kind()]
	}
	var err error
	switch {
	case k.empty():
		return l.any()
	case k.nonnil || k.length && t.Kind() != reflect.String || k.length && k.leaf != "":
		k.end(d, t)
	case k.length:
		lo, hi, _ := k.takeLen()
		return dynOf(textLeaf(lo, hi))
	case k.leaf == "match":
		if t.Kind() != reflect.String {
			k.end(d, t)
		}
		g, err = matchLeaf(k.arg)
	case k.leaf == "range":
		lo, hi, ok := strings.Cut(k.arg, "..")
		if !ok {
			d.fail("%v: want two ends, as in 1..5", k)
		}
		g, err = l.between(lo, hi)
	default:
		g, err = l.oneOf(strings.Split(k.arg, "|"))
	}
	if err != nil {
		d.fail("%v does not fit %v: %v", k, t, err)
	}
	return g
}

// leafOf is a leaf whose values are represented as a V is.
type leafOf[V comparable] struct {
	all    Gen[V]
	parse  func(string) (V, error)
	within func(lo, hi V) (Gen[V], error)
	lo, hi V
}

func (l *leafOf[V]) any() dyn { return dynOf(l.all) }

func (l *leafOf[V]) between(from, to string) (dyn, error) {
	if l.within == nil {
		return nil, fmt.Errorf("it has no ranges")
	}
	lo, hi := l.lo, l.hi
	var err error
	if from != "" {
		if lo, err = l.parse(from); err != nil {
			return nil, err
		}
	}
	if to != "" {
		if hi, err = l.parse(to); err != nil {
			return nil, err
		}
	}
	g, err := l.within(lo, hi)
	return dynOf(g), err
}

func (l *leafOf[V]) oneOf(texts []string) (dyn, error) {
	if l.parse == nil {
		return nil, fmt.Errorf("its values cannot be listed")
	}
	var alts []Alt[V]
	seen := map[V]bool{}
	for _, text := range texts {
		v, err := l.parse(text)
		if err != nil {
			return nil, err
		}
		if seen[v] || v != v {
			return nil, fmt.Errorf("%q is there twice, or not equal to itself", text)
		}
		seen[v] = true
		if text == "" {
			text = `""`
		}
		alts = append(alts, Tag(text, Just(v)))
	}
	return dynOf(Pick(alts...)), nil
}

func integers[I Integer](parse func(string) (I, error)) *leafOf[I] {
	lo, hi := I(0), ^I(0)
	if hi < 0 {
		lo = I(1) << (8*unsafe.Sizeof(lo) - 1)
		hi = ^lo
	}
	return &leafOf[I]{IntRange(lo, hi), parse, func(lo, hi I) (Gen[I], error) {
		if lo > hi {
			return Gen[I]{}, fmt.Errorf("%v is above %v", lo, hi)
		}
		return IntRange(lo, hi), nil
	}, lo, hi}
}

func parseInt[I Integer](s string) (I, error) {
	n, err := strconv.ParseInt(s, 0, 8*int(unsafe.Sizeof(I(0))))
	return I(n), err
}

func parseUint[I Integer](s string) (I, error) {
	n, err := strconv.ParseUint(s, 0, 8*int(unsafe.Sizeof(I(0))))
	return I(n), err
}

func parseFloat[F ~float32 | ~float64](s string) (F, error) {
	f, err := strconv.ParseFloat(s, 8*int(unsafe.Sizeof(F(0))))
	return F(f), err
}

// fractions makes floats that are multiples of 1/1024.
func fractions[F ~float32 | ~float64]() Gen[F] {
	return Iso(IntRange[int32](-1<<24, 1<<24),
		func(n int32) F { return F(n) / 1024 },
		func(f F) (int32, bool) {
			n := float64(f) * 1024
			return int32(cmp.Or(n, 0)), math.Abs(n) <= 1<<24
		})
}

// complexes makes complex numbers, which are represented as their two parts are.
func complexes[F comparable](part Gen[F]) leaf {
	return &leafOf[[2]F]{all: Struct(func(c *C, z *[2]F) {
		At(c, &z[0], part)
		At(c, &z[1], part)
	})}
}

// textLeaf makes strings of lo to hi runes.
func textLeaf(lo, hi int) Gen[string] {
	g := String(hi)
	if lo == 0 {
		return g
	}
	return SuchThat(g, func(s string) bool { return utf8.RuneCountInString(s) >= lo }, strings.Repeat("a", lo))
}

// bytesLeaf makes byte slices of lo to hi bytes.
func bytesLeaf(lo, hi int) dyn { return dynOf(SliceOf(IntRange[byte](0, math.MaxUint8), lo, hi)) }

// matchLeaf makes strings that match a regular expression.
func matchLeaf(expr string) (dyn, error) { return nil, fmt.Errorf("not supported") }
