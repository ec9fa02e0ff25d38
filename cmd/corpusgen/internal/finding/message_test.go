package finding

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// letters returns so many different letters.
func letters(n int) string {
	r := make([]rune, n)
	for i := range r {
		r[i] = 'Ā' + rune(i)
	}
	return string(r)
}

const panicLog = `--- FAIL: FuzzX (0.02s)
    --- FAIL: FuzzX (0.00s)
        testing.go:2024: panic: runtime error: index out of range [5] with length 3
            goroutine 9 [running]:
            testing.tRunner.func1()
            	/usr/local/go/src/testing/testing.go:2024 +0x1c8
            panic({0x5f0aa0?, 0xc000014150?})
            	/usr/local/go/src/runtime/panic.go:783 +0x132
            example.com/user.parse(...)
            	/home/user/x.go:12
            example.com/user.FuzzX.func1.1(0x0?, {0xc000012345, 0x1, 0x1})
            	/home/user/x_test.go:9 +0x45
            github.com/espalier-go/espalier/fuzzext.(*trial).call(0x0)
            	/home/fuzzext/run_value.go:9 +0x45
`

const reportLog = `--- FAIL: FuzzX (0.36s)
    --- FAIL: FuzzX (0.02s)
        x_test.go:57: no
        
        minimal failing value, after 18 steps in 128 runs (18 choices, of 133):
            []Call{
`

func TestCalls(t *testing.T) {
	require.Equal(t, []engine.Call{{Function: "user.parse", Place: "x.go:12"},
		{Function: "user.FuzzX.func1.1", Place: "x_test.go:9"}}, Calls(panicLog))
	require.Empty(t, Calls(reportLog))
}

func TestMessage(t *testing.T) {
	const fail = "--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX (0.00s)\n"
	for name, c := range map[string]struct{ log, want string }{
		"a message": {fail + "        x_test.go:7: got 1, want 2\n            more\n" +
			"        x_test.go:9: no\n", "got 1, want 2\nmore"},
		"indented": {fail + "        x_test.go:7: got\n                a\n            b\n", "got\n    a\nb"},
		"testify, a difference": {fail + "        x_test.go:7: \n            \tError " +
			"Trace:\t/home/x_test.go:7\n            \tError:      \tNot equal: \n" +
			"            \t            \t  a {\n            \t            \t\t- 1\n",
			"Not equal:\n  a {\n\t- 1"},
		"many lines": {"x_test.go:7: a is\n    1\n    2, want\n    3\n", "a is\n1\n2, want\n…"},
		"to an empty line": {"    x_test.go:7: a is\n        1\n    \n" +
			"        minimal failing value\n", "a is\n1"},
		"-fullpath": {fail + "        /home/user/x_test.go:7: no\n", "no"},
		"a panic":   {panicLog, "panic: runtime error: index out of range [5] with length 3"},
		"fuzzext":   {reportLog, "no"},
		"the process": {fail + "    fuzzing process hung or terminated unexpectedly: exit " +
			"status 2\n", "fuzzing process hung or terminated unexpectedly: exit status 2"},
		"a hang": {"value: 5\nthe property has not returned after 8s, with 8s of CPU " +
			"time\nit is in f at x.go:5\n", "the property has not returned after 8s, with 8s of CPU time"},
		"a panic of a test": {"panic: boom [recovered, repanicked]\n\ngoroutine 1 [running]:\n", "panic: boom"},
		"a stack":           {"panic: boom\n\ngoroutine 1 [running]:\n", "panic: boom"},
		"testify": {fail + "        x_test.go:7: \n            \tError " +
			"Trace:\t/home/x_test.go:7\n            \t            \t/usr/value.go:586\n" +
			"            \tError:      \tNot equal: \n            \t            \texpected: 1\n",
			"Not equal:\nexpected: 1"},
		"testify, labels": {fail + "        x_test.go:7: \n            \tError " +
			"Trace:\t/home/x_test.go:7\n            \tError:      \tNot equal: \n" +
			"            \t            \texpected: 1\n            \tTest:       \tFuzzX\n" +
			"            \tMessages:   \tof two\n    \n    Failing input\n",
			"Not equal:\nexpected: 1\nof two"},
		"an empty line":  {fail + "        x_test.go:7: \n            \n            diff\n", "diff"},
		"no message":     {fail + "        x_test.go:7: \n", ""},
		"nothing":        {"", ""},
		"something else": {"log\n", ""},
		"equal parts": {"x.go:1: got " + strings.Repeat("é1, ", 50) + "x, want " +
			strings.Repeat("é1, ", 50) + "y", "got é1, …1, é1, x, want é1, …1, é1, y"},
		"equal letters": {"x.go:1: got \"" + strings.Repeat("a", 90) + "x\", want \"" +
			strings.Repeat("a", 90) + "y\"", `got "aaaaa…aaaaaaaax", want "aaaaa…aaaaaaaay"`},
		"long":         {"x.go:1: " + letters(121), letters(119) + "…"},
		"not too long": {"x.go:1: " + letters(120), letters(120)},
	} {
		require.Equal(t, c.want, Message(c.log), name)
	}
}

// The summary has the message whole.
func TestWhole(t *testing.T) {
	const log = "    x_test.go:7: a is\n        1\n        \n          2\n        3\n    x_test.go:8: no\n"
	require.Equal(t, "a is\n1\n  2\n3", Whole(log))
	require.Equal(t, 41, strings.Count(Whole("x.go:1: a\n"+strings.Repeat("    b\n", 50)), "\n")+1)
	require.Equal(t, letters(399)+"…", Whole("x.go:1: "+letters(401)))
}

// What a test logs besides the message comes with its places.
func TestLogged(t *testing.T) {
	engine.SetLogs([]string{"x_test.go:5"})
	defer engine.SetLogs(nil)
	for log, want := range map[string]string{
		"    x_test.go:5: a\n        b\n    x_test.go:7: no\n        1\n    x_test.go:9: too\n": "x_test.go:5: " +
			"a\n    b\nx_test.go:9: too",
		"    x_test.go:7: no\n": "",
		"    x_test.go:7: no\n    \n    minimal failing value:\n        f(`\n        x.go:1: x\n        `)\n": "",
		panicLog: "",
		"":       "",
	} {
		require.Equal(t, want, Logged(log), log)
	}
}

// What a report says between the message and the value is kept: calls, schedules; no stacks.
func TestReport(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		"--- FAIL: FuzzA (0.1s)\n    --- FAIL: FuzzA (0.0s)\n        a_test.go:3: wrong\n            more\n" +
			"        calls:\n            c.Put(1)\n            // then: wrong\n        \n" +
			"        minimal failing value, after 1 step\n            x": "calls:\n    c.Put(1)\n    // then: wrong",
		"        deadlock: all goroutines wait\n        \n        the cycle:\n            one\n        \n" +
			"        minimal failing value, after": "deadlock: all goroutines wait\n\nthe cycle:\n    one",
		"    a_test.go:3: wrong\n    minimal failing value, x":                                                    "",
		"    calls:\n        a()\n    panic: x\n\n    goroutine 7 [running]:\n    f()\n    minimal failing value": "calls:\n    a()",
		"    a_test.go:3: wrong\n": "",
	} {
		require.Equal(t, want, Report(log), log)
	}
}
