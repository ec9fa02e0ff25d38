package bigen

import (
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// leaves are what [For] makes of types without looking into them.
type leaves struct {
	known  map[reflect.Type]dyn  // whatever their tags
	ofType map[reflect.Type]leaf // as tags describe, in other words than those of their kind
	ofKind map[reflect.Kind]leaf // all types of a kind, whose values are represented alike
}

var allLeaves onDemand[leaves]

// newLeaves makes the leaves. To make For know another type, add it here.
func newLeaves() leaves {
	return leaves{
		known: map[reflect.Type]dyn{
			reflect.TypeFor[time.Time]():      dynOf(Time(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC))),
			reflect.TypeFor[netip.Addr]():     dynOf(Addr()),
			reflect.TypeFor[netip.AddrPort](): dynOf(AddrPort()),
			reflect.TypeFor[netip.Prefix]():   dynOf(Prefix()),
			reflect.TypeFor[url.URL]():        dynOf(pointee(URL())),
			reflect.TypeFor[big.Int]():        dynOf(pointee(BigInt(maxBits))),
		},
		ofType: map[reflect.Type]leaf{
			reflect.TypeFor[time.Duration](): integers(parseDuration),
		},
		ofKind: map[reflect.Kind]leaf{
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
			reflect.Float32:    floats[float32](),
			reflect.Float64:    floats[float64](),
			reflect.Complex64:  &leafOf[complex64]{all: Complex[complex64]()},
			reflect.Complex128: &leafOf[complex128]{all: Complex[complex128]()},
			reflect.String:     &leafOf[string]{all: String(maxText), parse: func(s string) (string, error) { return s, nil }},
		},
	}
}

// maxBits is how many bits a big integer has at most.
const maxBits = 1024

// pointee makes what the values of g, which are not nil, point to.
func pointee[T any](g Gen[*T]) Gen[T] {
	return Iso(g, func(p *T) T { return *p }, func(v T) (*T, bool) { return &v, true })
}

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
	all := allLeaves.get(newLeaves)
	l := all.ofType[t]
	if l == nil {
		l = all.ofKind[t.Kind()]
	}
	var err error
	switch {
	case k.empty():
		return l.any()
	case len(k.lengths) > 0 && k.leaf != "" && t.Kind() == reflect.String:
		d.fail("the tags len and %s exclude each other", k.leaf)
	case k.nonnil || len(k.empties) > 0 || k.keys != nil || len(k.lengths) > 0 && t.Kind() != reflect.String:
		k.end(d, t)
	case len(k.lengths) > 0:
		said := k.lengths[0].said
		lo, hi, rest := k.takeLen()
		rest.end(d, t)
		if !said {
			return l.any()
		}
		return dynOf(StringOf(nil, lo, hi))
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
	return &leafOf[I]{Int[I](), parse, func(lo, hi I) (Gen[I], error) {
		if lo > hi {
			return Gen[I]{}, fmt.Errorf("%v is above %v", lo, hi)
		}
		return IntRange(lo, hi), nil
	}, lo, hi}
}

func parseInt[I Integer](s string) (I, error) {
	bits := 8 * int(unsafe.Sizeof(I(0)))
	n, err := strconv.ParseInt(s, 0, bits)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number from %d to %d", s, int64(-1)<<(bits-1), uint64(1)<<(bits-1)-1)
	}
	return I(n), nil
}

func parseUint[I Integer](s string) (I, error) {
	bits := 8 * int(unsafe.Sizeof(I(0)))
	n, err := strconv.ParseUint(s, 0, bits)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number from 0 to %d", s, ^uint64(0)>>(64-bits))
	}
	return I(n), nil
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration, as 90s and 1h30m are", s)
	}
	return d, nil
}

func parseFloat[F ~float32 | ~float64](s string) (F, error) {
	bits := 8 * int(unsafe.Sizeof(F(0)))
	f, err := strconv.ParseFloat(s, bits)
	if err != nil {
		return 0, fmt.Errorf("%q is no number, as 2.5 and 1e9 are, that a float%d holds", s, bits)
	}
	return F(f), nil
}

func floats[F ~float32 | ~float64]() *leafOf[F] {
	largest := floatAt[F](formatOf[F]().inf() - 1)
	return &leafOf[F]{Float[F](), parseFloat[F], func(lo, hi F) (Gen[F], error) {
		if !(lo <= hi) || lo < -largest || hi > largest {
			return Gen[F]{}, fmt.Errorf("no finite numbers from %v to %v", lo, hi)
		}
		return FloatRange(lo, hi), nil
	}, -largest, largest}
}

// matchLeaf makes strings that match a regular expression.
func matchLeaf(expr string) (g dyn, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return dynOf(Matching(expr)), nil
}
