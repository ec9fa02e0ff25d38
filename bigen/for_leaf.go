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
	known  map[reflect.Type]untyped // whatever their tags
	ofType map[reflect.Type]leaf    // as tags describe, in other words than all types of their kind
	ofKind map[reflect.Kind]leaf    // all types of a kind, whose values are represented alike
}

var allLeaves onDemand[leaves]

// newLeaves makes the leaves. To make For know another type, add it here.
func newLeaves() leaves {
	year1 := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	endOf9999 := time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	return leaves{
		known: map[reflect.Type]untyped{
			reflect.TypeFor[time.Time]():      genOf(Time(year1, endOf9999)),
			reflect.TypeFor[netip.Addr]():     genOf(Addr()),
			reflect.TypeFor[netip.AddrPort](): genOf(AddrPort()),
			reflect.TypeFor[netip.Prefix]():   genOf(Prefix()),
			reflect.TypeFor[url.URL]():        genOf(pointee(URL())),
			reflect.TypeFor[big.Int]():        genOf(pointee(BigInt(maxBits))),
		},
		ofType: map[reflect.Type]leaf{
			reflect.TypeFor[time.Duration](): durations(),
		},
		ofKind: map[reflect.Kind]leaf{
			reflect.Bool:       &leafOf[bool]{all: Bool()},
			reflect.Int:        integers[int](),
			reflect.Int8:       integers[int8](),
			reflect.Int16:      integers[int16](),
			reflect.Int32:      integers[int32](),
			reflect.Int64:      integers[int64](),
			reflect.Uint:       integers[uint](),
			reflect.Uint8:      integers[uint8](),
			reflect.Uint16:     integers[uint16](),
			reflect.Uint32:     integers[uint32](),
			reflect.Uint64:     integers[uint64](),
			reflect.Uintptr:    integers[uintptr](),
			reflect.Float32:    floats[float32](),
			reflect.Float64:    floats[float64](),
			reflect.Complex64:  &leafOf[complex64]{all: Complex[complex64]()},
			reflect.Complex128: &leafOf[complex128]{all: Complex[complex128]()},
			reflect.String: &leafOf[string]{
				all: String(maxText), parse: func(s string) (string, error) { return s, nil },
			},
		},
	}
}

// maxBits is how many bits a big integer has at most.
const maxBits = 1024

func genOf[V any](g Gen[V]) untyped { return *untypedOf(&g) }

// pointee makes what the values of g, which are not nil, point to.
func pointee[T any](g Gen[*T]) Gen[T] {
	return Iso(g, func(p *T) T { return *p }, func(v T) (*T, bool) { return &v, true })
}

// maxText is how many runes a string has at most, unless a tag tells.
const maxText = 256

// leaf makes the values of types without parts: all, or those that a tag describes.
type leaf interface {
	any() untyped
	between(lo, hi string) (untyped, error)
	oneOf(texts []string) (untyped, error)
}

// leaf returns the generator of a type with the constraint k.
func (d *derivation) leaf(t reflect.Type, k constraint) (g untyped) {
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
	case k.nonnil || len(k.empties) > 0 || k.keys != nil ||
		len(k.lengths) > 0 && t.Kind() != reflect.String:
		k.end(d, t)
	case len(k.lengths) > 0:
		said := k.lengths[0].said
		lo, hi, rest := k.takeLen()
		rest.end(d, t)
		if !said {
			return l.any()
		}
		return genOf(StringOf(nil, lo, hi))
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

func (l *leafOf[V]) any() untyped { return genOf(l.all) }

func (l *leafOf[V]) between(from, to string) (untyped, error) {
	if l.within == nil {
		return untyped{}, fmt.Errorf("it has no ranges")
	}
	lo, hi := l.lo, l.hi
	var err error
	if from != "" {
		if lo, err = l.parse(from); err != nil {
			return untyped{}, err
		}
	}
	if to != "" {
		if hi, err = l.parse(to); err != nil {
			return untyped{}, err
		}
	}
	g, err := l.within(lo, hi)
	return genOf(g), err
}

func (l *leafOf[V]) oneOf(texts []string) (untyped, error) {
	if l.parse == nil {
		return untyped{}, fmt.Errorf("its values cannot be listed")
	}
	var alts []Alt[V]
	seen := map[V]bool{}
	for _, text := range texts {
		v, err := l.parse(text)
		if err != nil {
			return untyped{}, err
		}
		if seen[v] || v != v {
			return untyped{}, fmt.Errorf("%q is there twice, or not equal to itself", text)
		}
		seen[v] = true
		if text == "" {
			text = `""`
		}
		alts = append(alts, Tag(text, Just(v)))
	}
	return genOf(Pick(alts...)), nil
}

func integers[I Integer]() *leafOf[I] {
	lo, hi := I(0), ^I(0)
	if hi < 0 {
		lo = I(1) << (8*unsafe.Sizeof(lo) - 1)
		hi = ^lo
	}
	return &leafOf[I]{Int[I](), parseInteger[I], func(lo, hi I) (Gen[I], error) {
		if lo > hi {
			return Gen[I]{}, fmt.Errorf("%v is above %v", lo, hi)
		}
		return IntRange(lo, hi), nil
	}, lo, hi}
}

func parseInteger[I Integer](s string) (I, error) {
	bits := 8 * int(unsafe.Sizeof(I(0)))
	least, most := int64(0), ^uint64(0)>>(64-bits)
	var n I
	var err error
	if ^I(0) > 0 {
		var u uint64
		u, err = strconv.ParseUint(s, 0, bits)
		n = I(u)
	} else {
		var i int64
		i, err = strconv.ParseInt(s, 0, bits)
		least, most, n = int64(-1)<<(bits-1), most>>1, I(i)
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", s, least, most)
	}
	return n, nil
}

func durations() *leafOf[time.Duration] {
	l := integers[time.Duration]()
	l.parse = parseDuration
	return l
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration such as 90s or 1h30m", s)
	}
	return d, nil
}

func parseFloat[F ~float32 | ~float64](s string) (F, error) {
	bits := 8 * int(unsafe.Sizeof(F(0)))
	f, err := strconv.ParseFloat(s, bits)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number such as 2.5 or 1e9 that a float%d holds", s, bits)
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
func matchLeaf(expr string) (g untyped, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return genOf(Matching(expr)), nil
}
