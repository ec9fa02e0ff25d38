package literal

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

var (
	boolType       = reflect.TypeFor[bool]()
	intType        = reflect.TypeFor[int]()
	float64Type    = reflect.TypeFor[float64]()
	complex128Type = reflect.TypeFor[complex128]()
	stringType     = reflect.TypeFor[string]()
	timeType       = reflect.TypeFor[time.Time]()
	durationType   = reflect.TypeFor[time.Duration]()
)

// basic returns v, a boolean, number or string, as a constant if there is one.
func (p *printer) basic(v reflect.Value, pl place) *node {
	t := v.Type()
	var (
		s    string
		own  reflect.Type // type of s where its place implies none
		kept bool         // whether s has this type in all places
	)
	switch v.Kind() {
	case reflect.Bool:
		s, own = strconv.FormatBool(v.Bool()), boolType
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s, own = strconv.FormatInt(v.Int(), 10), intType
		if t == durationType && v.Int() != 0 {
			s, own = p.duration(time.Duration(v.Int())), durationType
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		s, own = strconv.FormatUint(v.Uint(), 10), intType
	case reflect.Float32, reflect.Float64:
		s, own, kept = p.float(v.Float(), t.Bits())
	case reflect.Complex64, reflect.Complex128:
		s, own, kept = p.complex(v.Complex(), t.Bits()/2)
	case reflect.String:
		if v.Len()+len(`""`) > p.budget {
			return p.beginning(v.String(), t, pl)
		}
		s, own = strconv.Quote(v.String()), stringType
	default:
		panic("literal: not a basic type: " + t.String())
	}
	if own != t && (kept || !pl.implied()) {
		s = p.types.conversion(t) + "(" + s + ")"
	}
	return p.text(s, t, pl)
}

// beginning returns the beginning of a text that does not fit into the budget.
func (p *printer) beginning(s string, t reflect.Type, pl place) *node {
	const most = 40 // bytes
	s = strconv.Quote(strings.ToValidUTF8(s[:min(most, len(s))], ""))
	if t != stringType && !pl.implied() {
		s = p.types.conversion(t) + "(" + s + ")"
	}
	n := p.rest(t, pl)
	if p.charge(len(s)) {
		n.open = s + strings.TrimPrefix(n.open, "nil")
	}
	p.full = true
	return n
}

// duration returns d in the largest unit that divides it.
func (p *printer) duration(d time.Duration) string {
	qualifier := p.types.qualifier("time", "time")
	units := []struct {
		size time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"},
		{time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"},
		{time.Nanosecond, "Nanosecond"}}
	for _, u := range units {
		switch n := d / u.size; {
		case d%u.size != 0:
		case n == 1:
			return qualifier + u.name
		default:
			return strconv.FormatInt(int64(n), 10) + " * " + qualifier + u.name
		}
	}
	panic("literal: no unit") // not reached: all durations are multiples of a nanosecond
}

// float returns f, which has the given number of bits, with its type. The type is
// kept in all places if the expression is not a constant.
func (p *printer) float(f float64, bits int) (s string, own reflect.Type, kept bool) {
	qualifier := p.types.qualifier("math", "math")
	switch {
	case math.IsNaN(f):
		return qualifier + "NaN()", float64Type, true
	case math.IsInf(f, 1):
		return qualifier + "Inf(1)", float64Type, true
	case math.IsInf(f, -1):
		return qualifier + "Inf(-1)", float64Type, true
	case f == 0 && math.Signbit(f):
		return qualifier + "Copysign(0, -1)", float64Type, true
	}
	s = strconv.FormatFloat(f, 'g', -1, bits)
	if strings.ContainsAny(s, ".e") {
		return s, float64Type, false
	}
	return s, intType, false
}

// complex is like float for a complex number with parts of the given size.
func (p *printer) complex(c complex128, bits int) (s string, own reflect.Type, kept bool) {
	re, _, reKept := p.float(real(c), bits)
	im, _, imKept := p.float(imag(c), bits)
	kept = reKept || imKept
	if kept {
		// Parts that are not constant are float64s before they are converted.
		re, _, _ = p.float(real(c), 64)
		im, _, _ = p.float(imag(c), 64)
	}
	return "complex(" + re + ", " + im + ")", complex128Type, kept
}

// isTime reports whether t is time.Time or defined by it.
func isTime(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.ConvertibleTo(timeType)
}

// time returns v, for which isTime holds, as a call of time.Date. A local time becomes a call
// of time.Unix, because in the night in which summer time ends, two moments may have one
// date.
func (p *printer) time(v reflect.Value, pl place) *node {
	t, call := timeOf(v), p.types.qualifier("time", "time")
	location := call + "UTC"
	if t.Location() != time.UTC {
		name, offset := t.Zone()
		location = fmt.Sprintf("%sFixedZone(%q, %d)", call, name, offset)
	}
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	s := fmt.Sprintf("%sDate(%d, %d, %d, %d, %d, %d, %d, %s)", call, year, month, day, hour, minute,
		second, t.Nanosecond(), location)
	if t.Location() == time.Local ||
		!time.Date(year, month, day, hour, minute, second, t.Nanosecond(), t.Location()).Equal(t) {
		s = fmt.Sprintf("%sUnix(%d, %d)", call, t.Unix(), t.Nanosecond())
		if t.Location() == time.UTC {
			s += ".UTC()"
		}
	}
	if v.Type() != timeType {
		s = p.types.conversion(v.Type()) + "(" + s + ")"
	}
	return p.text(s, v.Type(), pl)
}

// timeOf returns v. If it is within an unexported field, it is in UTC or a local time.
func timeOf(v reflect.Value) time.Time {
	if v.CanInterface() {
		return v.Convert(timeType).Interface().(time.Time)
	}
	// The methods of a time in an unexported field are out of reach. The top bit of
	// wall says whether the seconds are in the bits below it, since 1885, or in
	// ext, since the year 1. The low 30 bits are the nanoseconds.
	const (
		unixToYear1 = 62135596800
		unixTo1885  = 2682288000
		nsecBits    = 30
	)
	wall, ext := v.FieldByName("wall").Uint(), v.FieldByName("ext").Int()
	sec := ext - unixToYear1
	if wall>>63 != 0 {
		sec = int64(wall<<1>>(nsecBits+1)) - unixTo1885
	}
	t := time.Unix(sec, int64(wall&(1<<nsecBits-1)))
	if v.FieldByName("loc").IsNil() {
		return t.UTC()
	}
	return t
}

// isZero reports whether v is the zero value of its type. Negative zero is not.
func isZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return math.Float64bits(real(c)) == 0 && math.Float64bits(imag(c)) == 0
	case reflect.Array:
		for i := range v.Len() {
			if !isZero(v.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" && !isZero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}
