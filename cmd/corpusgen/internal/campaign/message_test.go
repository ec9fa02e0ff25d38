package campaign

import (
	"strings"
	"testing"

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

func TestMessage(t *testing.T) {
	const fail = "--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX (0.00s)\n"
	for name, c := range map[string]struct{ log, want string }{
		"a message": {fail + "        x_test.go:7: got 1, want 2\n            more\n" +
			"        x_test.go:9: no\n", "got 1, want 2\nmore"},
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
			"            \t            \texpected: 1\n            \tTest:       \tFuzzX\n",
			"Not equal:\nexpected: 1"},
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
