package proptest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The output of a process says how each test does, and which one was running when it ended.
func TestVerdictsOf(t *testing.T) {
	v := verdictsOf("=== RUN   TestA\n    a_test.go:1: no\n--- FAIL: TestA (0.00s)\n" +
		"=== RUN   TestB\n=== RUN   TestB/sub\n    --- PASS: TestB/sub (0.00s)\n" +
		"--- PASS: TestB (0.00s)\n" +
		"=== RUN   TestC\npanic: stopped\n")
	require.Equal(t, map[string]bool{"TestA": false, "TestB": true}, v.passed)
	require.Equal(t, "TestC", v.last)
	require.Contains(t, v.text["TestA"], "a_test.go:1: no")
	require.NotContains(t, v.text["TestA"], "panic")
	require.Contains(t, v.text["TestC"], "panic: stopped")
}

// What a caller may well give is not unusual.
func TestUnusual(t *testing.T) {
	for _, value := range []string{
		`0`, `-1`, `""`, `"["`, `"\x00"`, `123456789`, `[]byte(nil)`, "args{\n\tN: -3,\n\tS: \"\",\n}",
	} {
		require.True(t, unusual(value), value)
	}
	for _, value := range []string{`1`, `"a"`, "args{\n\tN: 7,\n}", `[]string{"x"}`} {
		require.False(t, unusual(value), value)
	}
}

// Parts that do not matter are left out.
func TestOneLine(t *testing.T) {
	for value, want := range map[string]string{
		"args{\n\tA: 0, // any value fails (2 of 2 tried)\n\tB:   \"x\",\n}": `{B: "x"}`,
		"args{\n\tA: 0, // any value fails\n}":                               "zero values",
		"        -1":                                                         "-1",
	} {
		require.Equal(t, want, oneLine(value))
	}
}

// The first mistakes that are tried are far from each other, and none is tried twice.
func TestSpreadOut(t *testing.T) {
	require.Equal(t, []int{0, 3, 6, 1, 4, 7, 2, 5}, spreadOut(8))
	require.Empty(t, spreadOut(0))
}

// A property that discards nearly all values has no verdict in some runs: Check wants 100 of 20000.
func TestSeldomValid(t *testing.T) {
	const rest = " random values are valid, fewer than 1 in 20: T.Assume has rejected them"
	require.True(t, seldomValid("    p_test.go:7: fuzzext.Check: only 89 of 20000"+rest))
	require.True(t, seldomValid("    p_test.go:7: fuzzext.Check: weak: only 117 of 20000"+rest))
	require.False(t, seldomValid("    p_test.go:7: fuzzext.Check: weak: only 808 of 20000"+rest))
	require.False(t, seldomValid("    p_test.go:7: fuzzext.Check: 1000 valid random values"))
}
