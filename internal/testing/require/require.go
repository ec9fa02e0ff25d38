// Package require ends a test that does not find what it requires. It has the functions of
// testify's package of this name that this module's tests use, with the same arguments. Testify
// links net/http and a YAML parser into each test binary: half of the CPU time of go test ./...
// was that of linking them.
//
//	require.Equal(t, want, got, "of the input %q", input)
//
// What follows the arguments of a function is a format and its arguments, or any value. It begins
// the message.
package require

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// A T is a test.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

// Fail ends the test.
func Fail(t T, what string, message ...any) {
	t.Helper()
	if len(message) > 0 {
		if format, ok := message[0].(string); ok {
			what = fmt.Sprintf(format, message[1:]...) + ": " + what
		} else {
			what = fmt.Sprintf("%+v: %s", message[0], what)
		}
	}
	t.Errorf("%s", what)
	t.FailNow()
}

func True(t T, ok bool, message ...any) {
	t.Helper()
	if !ok {
		Fail(t, "false, want true", message...)
	}
}

func False(t T, ok bool, message ...any) {
	t.Helper()
	if ok {
		Fail(t, "true, want false", message...)
	}
}

// Equal compares by reflect.DeepEqual.
func Equal(t T, want, got any, message ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		Fail(t, difference(want, got), message...)
	}
}

func NotEqual(t T, unwanted, got any, message ...any) {
	t.Helper()
	if reflect.DeepEqual(unwanted, got) {
		Fail(t, "both are "+text(got), message...)
	}
}

// EqualValues converts want to the type of got.
func EqualValues(t T, want, got any, message ...any) {
	t.Helper()
	if w, typ := reflect.ValueOf(want), reflect.TypeOf(got); w.IsValid() && typ != nil && w.CanConvert(typ) {
		want = w.Convert(typ).Interface()
	}
	Equal(t, want, got, message...)
}

// ElementsMatch compares slices whose order does not matter.
func ElementsMatch(t T, want, got any, message ...any) {
	t.Helper()
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	left := make([]any, g.Len())
	for i := range left {
		left[i] = g.Index(i).Interface()
	}
	for i := range w.Len() {
		j := index(left, w.Index(i).Interface())
		if j < 0 {
			Fail(t, difference(want, got), message...)
		}
		left = append(left[:j], left[j+1:]...)
	}
	if len(left) > 0 {
		Fail(t, difference(want, got), message...)
	}
}

func Nil(t T, v any, message ...any) {
	t.Helper()
	if !isNil(v) {
		Fail(t, text(v)+", want nil", message...)
	}
}

func NotNil(t T, v any, message ...any) {
	t.Helper()
	if isNil(v) {
		Fail(t, "nil", message...)
	}
}

func Zero(t T, v any, message ...any) {
	t.Helper()
	if v != nil && !reflect.ValueOf(v).IsZero() {
		Fail(t, text(v)+", want zero", message...)
	}
}

func NotZero(t T, v any, message ...any) {
	t.Helper()
	if v == nil || reflect.ValueOf(v).IsZero() {
		Fail(t, "zero", message...)
	}
}

// Empty requires a text, slice or map without elements, or a zero value.
func Empty(t T, v any, message ...any) {
	t.Helper()
	if !isEmpty(v) {
		Fail(t, text(v)+", want nothing", message...)
	}
}

func NotEmpty(t T, v any, message ...any) {
	t.Helper()
	if isEmpty(v) {
		Fail(t, text(v)+" is empty", message...)
	}
}

func Len(t T, v any, n int, message ...any) {
	t.Helper()
	if got := reflect.ValueOf(v).Len(); got != n {
		Fail(t, fmt.Sprintf("%d elements, want %d: %s", got, n, text(v)), message...)
	}
}

// Contains requires a part of a text, an element of a slice, or a key of a map.
func Contains(t T, all, part any, message ...any) {
	t.Helper()
	if !contains(all, part) {
		Fail(t, fmt.Sprintf("%s does not contain %s", text(all), text(part)), message...)
	}
}

func NotContains(t T, all, part any, message ...any) {
	t.Helper()
	if contains(all, part) {
		Fail(t, fmt.Sprintf("%s contains %s", text(all), text(part)), message...)
	}
}

func Greater[V cmp.Ordered](t T, a, b V, message ...any) {
	t.Helper()
	ordered(t, a > b, a, ">", b, message)
}

func GreaterOrEqual[V cmp.Ordered](t T, a, b V, message ...any) {
	t.Helper()
	ordered(t, a >= b, a, ">=", b, message)
}

func Less[V cmp.Ordered](t T, a, b V, message ...any) {
	t.Helper()
	ordered(t, a < b, a, "<", b, message)
}

func LessOrEqual[V cmp.Ordered](t T, a, b V, message ...any) {
	t.Helper()
	ordered(t, a <= b, a, "<=", b, message)
}

func Positive[V cmp.Ordered](t T, v V, message ...any) {
	t.Helper()
	var zero V
	ordered(t, v > zero, v, ">", zero, message)
}

func Negative[V cmp.Ordered](t T, v V, message ...any) {
	t.Helper()
	var zero V
	ordered(t, v < zero, v, "<", zero, message)
}

// InDelta requires numbers of any types that differ by at most delta.
func InDelta(t T, want, got any, delta float64, message ...any) {
	t.Helper()
	if w, g := number(want), number(got); !(math.Abs(w-g) <= delta) {
		Fail(t, fmt.Sprintf("%v, want %v within %v", g, w, delta), message...)
	}
}

// InEpsilon is InDelta with a part of want.
func InEpsilon(t T, want, got any, epsilon float64, message ...any) {
	t.Helper()
	InDelta(t, want, got, epsilon*math.Abs(number(want)), message...)
}

func NoError(t T, err error, message ...any) {
	t.Helper()
	if err != nil {
		Fail(t, fmt.Sprintf("the error %+v", err), message...)
	}
}

func Error(t T, err error, message ...any) {
	t.Helper()
	if err == nil {
		Fail(t, "no error", message...)
	}
}

func EqualError(t T, err error, want string, message ...any) {
	t.Helper()
	Error(t, err, message...)
	if got := err.Error(); got != want {
		Fail(t, difference(want, got), message...)
	}
}

func ErrorContains(t T, err error, part string, message ...any) {
	t.Helper()
	Error(t, err, message...)
	Contains(t, err.Error(), part, message...)
}

func ErrorIs(t T, err, target error, message ...any) {
	t.Helper()
	if !errors.Is(err, target) {
		Fail(t, fmt.Sprintf("the error %v, want %v", err, target), message...)
	}
}

func ErrorAs(t T, err error, target any, message ...any) {
	t.Helper()
	if !errors.As(err, target) {
		Fail(t, fmt.Sprintf("the error %v, want one of %T", err, target), message...)
	}
}

func Panics(t T, f func(), message ...any) {
	t.Helper()
	if _, ok := panics(f); !ok {
		Fail(t, "no panic", message...)
	}
}

func PanicsWithValue(t T, want any, f func(), message ...any) {
	t.Helper()
	got, ok := panics(f)
	if !ok {
		Fail(t, "no panic, want "+text(want), message...)
	}
	Equal(t, want, got, message...)
}

// JSONEq compares two texts as JSON.
func JSONEq(t T, want, got string, message ...any) {
	t.Helper()
	var w, g any
	NoError(t, json.Unmarshal([]byte(want), &w), message...)
	NoError(t, json.Unmarshal([]byte(got), &g), message...)
	Equal(t, w, g, message...)
}

// Eventually waits for ok, at most for this time, and asks after each tick.
func Eventually(t T, ok func() bool, most, tick time.Duration, message ...any) {
	t.Helper()
	for end := time.Now().Add(most); !ok(); time.Sleep(tick) {
		if time.Now().After(end) {
			Fail(t, fmt.Sprintf("not after %v", most), message...)
		}
	}
}

// Exists requires a file or directory.
func Exists(t T, path string, message ...any) {
	t.Helper()
	_, err := os.Stat(path)
	NoError(t, err, message...)
}

func NotExists(t T, path string, message ...any) {
	t.Helper()
	_, err := os.Stat(path)
	ErrorIs(t, err, os.ErrNotExist, message...)
}

// Regexp requires a text that matches an expression.
func Regexp(t T, expr, s string, message ...any) {
	t.Helper()
	if !regexp.MustCompile(expr).MatchString(s) {
		Fail(t, fmt.Sprintf("%q does not match %s", s, expr), message...)
	}
}

func NotRegexp(t T, expr, s string, message ...any) {
	t.Helper()
	if m := regexp.MustCompile(expr).FindString(s); m != "" {
		Fail(t, fmt.Sprintf("%q matches %s: %q", s, expr, m), message...)
	}
}

func ordered(t T, ok bool, a any, relation string, b any, message []any) {
	t.Helper()
	if !ok {
		Fail(t, fmt.Sprintf("%v, want %s %v", a, relation, b), message...)
	}
}

// panics reports whether f panics, or ends the goroutine, and with what.
func panics(f func()) (value any, ok bool) {
	ok = true
	defer func() { value = recover() }()
	f()
	ok = false
	return
}

func contains(all, part any) bool {
	v := reflect.ValueOf(all)
	switch v.Kind() {
	case reflect.String:
		return strings.Contains(v.String(), reflect.ValueOf(part).String())
	case reflect.Map:
		return v.MapIndex(reflect.ValueOf(part)).IsValid()
	}
	for i := range v.Len() {
		if reflect.DeepEqual(v.Index(i).Interface(), part) {
			return true
		}
	}
	return false
}

func index(all []any, v any) int {
	for i, x := range all {
		if reflect.DeepEqual(x, v) {
			return i
		}
	}
	return -1
}

func isNil(v any) bool {
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return x.IsNil()
	}
	return false
}

func isEmpty(v any) bool {
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Map, reflect.Slice, reflect.String:
		return x.Len() == 0
	default:
		return x.IsZero()
	}
}

func number(v any) float64 {
	return reflect.ValueOf(v).Convert(reflect.TypeFor[float64]()).Float()
}

// difference shows two values: of long texts, from the first line that differs.
func difference(want, got any) string {
	w, g := text(want), text(got)
	if ws, ok := want.(string); ok {
		if gs, ok := got.(string); ok {
			w, g = from(ws, gs)
		}
	}
	if w == g {
		w, g = fmt.Sprintf("%T(%s)", want, w), fmt.Sprintf("%T(%s)", got, g)
	}
	return fmt.Sprintf("\n got: %s\nwant: %s", g, w)
}

// from returns two texts from the first line that differs.
func from(want, got string) (w, g string) {
	if !strings.Contains(want+got, "\n") {
		return fmt.Sprintf("%q", want), fmt.Sprintf("%q", got)
	}
	for {
		a, w, ok1 := strings.Cut(want, "\n")
		b, g, ok2 := strings.Cut(got, "\n")
		if a != b || !ok1 || !ok2 {
			return want, got
		}
		want, got = w, g
	}
}

// text returns a value as Go code, nearly.
func text(v any) string {
	switch v := v.(type) {
	case error:
		return v.Error()
	case []byte:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf("%#v", v)
}
