package require_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"runtime"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

// recorder is a test that keeps its message.
type recorder struct{ message string }

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.message += fmt.Sprintf(format, args...) }
func (r *recorder) FailNow()                          { runtime.Goexit() }

// messageOf returns the message with which f fails.
func messageOf(f func(t require.T)) string {
	r, done := &recorder{}, make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.message
}

// Each function passes and fails as it should. This test needs no function of the package.
func TestRequire(t *testing.T) {
	err := fmt.Errorf("at x: %w", fs.ErrNotExist)
	var pathError *fs.PathError
	var none map[string]int
	for i, c := range []struct {
		message string // with which it fails
		f       func(t require.T)
	}{
		{"", func(t require.T) { require.True(t, true) }},
		{"x is 3: false, want true", func(t require.T) { require.True(t, false, "x is %d", 3) }},
		{"true, want false", func(t require.T) { require.False(t, true) }},
		{"", func(t require.T) { require.Equal(t, []int{1}, []int{1}) }},
		{"[1]: \n got: []int{2}\nwant: []int{1}", func(t require.T) { require.Equal(t, []int{1}, []int{2}, []int{1}) }},
		{"\n got: int64(1)\nwant: int(1)", func(t require.T) { require.Equal(t, 1, int64(1)) }},
		{"\n got: z\nwant: y", func(t require.T) { require.Equal(t, "x\ny", "x\nz") }},
		{"", func(t require.T) { require.NotEqual(t, 1, 2) }},
		{"both are 1", func(t require.T) { require.NotEqual(t, 1, 1) }},
		{"", func(t require.T) { require.EqualValues(t, 1, int64(1)) }},
		{"", func(t require.T) { require.ElementsMatch(t, []int{1, 2, 2}, []int{2, 1, 2}) }},
		{"\n got: []int{1, 1, 2}\nwant: []int{1, 2, 2}", func(t require.T) { require.ElementsMatch(t, []int{1, 2, 2}, []int{1, 1, 2}) }},
		{"\n got: []int{1, 2}\nwant: []int{1}", func(t require.T) { require.ElementsMatch(t, []int{1}, []int{1, 2}) }},
		{"", func(t require.T) { require.Nil(t, pathError) }},
		{"1, want nil", func(t require.T) { require.Nil(t, 1) }},
		{"nil", func(t require.T) { require.NotNil(t, pathError) }},
		{"", func(t require.T) { require.Zero(t, struct{ n int }{}) }},
		{"1, want zero", func(t require.T) { require.Zero(t, 1) }},
		{"zero", func(t require.T) { require.NotZero(t, 0) }},
		{"", func(t require.T) { require.Empty(t, none) }},
		{`"x", want nothing`, func(t require.T) { require.Empty(t, "x") }},
		{"[]int{} is empty", func(t require.T) { require.NotEmpty(t, []int{}) }},
		{"", func(t require.T) { require.Len(t, "abc", 3) }},
		{`3 elements, want 2: "abc"`, func(t require.T) { require.Len(t, "abc", 2) }},
		{"", func(t require.T) { require.Contains(t, map[string]int{"a": 1}, "a") }},
		{"[]int{1} does not contain 2", func(t require.T) { require.Contains(t, []int{1}, 2) }},
		{`"abc" contains "b"`, func(t require.T) { require.NotContains(t, "abc", "b") }},
		{"", func(t require.T) { require.Greater(t, 2, 1) }},
		{"1, want > 1", func(t require.T) { require.Greater(t, 1, 1) }},
		{"1, want >= 2", func(t require.T) { require.GreaterOrEqual(t, 1, 2) }},
		{"1, want < 1", func(t require.T) { require.Less(t, 1, 1) }},
		{"2, want <= 1", func(t require.T) { require.LessOrEqual(t, 2, 1) }},
		{"0, want > 0", func(t require.T) { require.Positive(t, 0) }},
		{"0, want < 0", func(t require.T) { require.Negative(t, 0) }},
		{"", func(t require.T) { require.InDelta(t, 1, 1.5, .5) }},
		{"1.75, want 1 within 0.5", func(t require.T) { require.InDelta(t, 1, 1.75, .5) }},
		{"NaN, want 1 within 0.5", func(t require.T) { require.InDelta(t, 1, math.NaN(), .5) }},
		{"15, want 10 within 4", func(t require.T) { require.InEpsilon(t, 10, 15, .4) }},
		{"", func(t require.T) { require.NoError(t, nil) }},
		{"the error at x: file does not exist", func(t require.T) { require.NoError(t, err) }},
		{"no error", func(t require.T) { require.Error(t, nil) }},
		{"", func(t require.T) { require.EqualError(t, err, "at x: file does not exist") }},
		{"\n got: \"at x: file does not exist\"\nwant: \"x\"", func(t require.T) { require.EqualError(t, err, "x") }},
		{`"at x: file does not exist" does not contain "y"`, func(t require.T) { require.ErrorContains(t, err, "y") }},
		{"", func(t require.T) { require.ErrorIs(t, err, fs.ErrNotExist) }},
		{"the error at x: file does not exist, want file already exists", func(t require.T) { require.ErrorIs(t, err, fs.ErrExist) }},
		{"the error at x: file does not exist, want one of **fs.PathError", func(t require.T) { require.ErrorAs(t, err, &pathError) }},
		{"no panic", func(t require.T) { require.Panics(t, func() {}) }},
		{"", func(t require.T) { require.PanicsWithValue(t, 1, func() { panic(1) }) }},
		{"\n got: 2\nwant: 1", func(t require.T) { require.PanicsWithValue(t, 1, func() { panic(2) }) }},
		{"no panic, want x", func(t require.T) { require.PanicsWithValue(t, errors.New("x"), func() {}) }},
		{"", func(t require.T) { require.JSONEq(t, `{"a":1,"b":2}`, `{"b":2, "a":1}`) }},
		{"\n got: 2\nwant: 1", func(t require.T) { require.JSONEq(t, "1", "2") }},
		{"", func(t require.T) { require.Eventually(t, func() bool { return true }, 0, 0) }},
		{"not after -1ns", func(t require.T) { require.Eventually(t, func() bool { return false }, -1, 0) }},
		{"", func(t require.T) { require.Exists(t, ".") }},
		{"", func(t require.T) { require.NotExists(t, "none") }},
		{"the error <nil>, want file does not exist", func(t require.T) { require.NotExists(t, ".") }},
		{"", func(t require.T) { require.Regexp(t, "^b+", "bb") }},
		{`"abb" does not match ^b`, func(t require.T) { require.Regexp(t, "^b", "abb") }},
		{`"abb" matches b+: "bb"`, func(t require.T) { require.NotRegexp(t, "b+", "abb") }},
	} {
		if got := messageOf(c.f); got != c.message {
			t.Errorf("%d: the message %q, want %q", i, got, c.message)
		}
	}
}
