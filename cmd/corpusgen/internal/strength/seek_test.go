package strength

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a test says with a mistake is its first message, or how the process ends.
func TestSays(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome outcome
		want    string
	}{
		{"a message", outcome{output: "--- FAIL: TestX (0.00s)\n" +
			"    espalier_sought_test.go:9: p.F(1): got 2, want 3\n" +
			"    espalier_sought_test.go:12: p.G(1): got 2, want 3\nFAIL\n"}, "p.F(1): got 2, want 3"},
		{"a message of another file", outcome{output: "--- FAIL: TestX (0.00s)\n    x_test.go:9: no\n"},
			"it fails"},
		{"a panic", outcome{output: "--- FAIL: TestX (0.00s)\npanic: no room [recovered, repanicked]\n\n" +
			"goroutine 7 [running]:\n"}, "panic: no room"},
		{"a full stack", outcome{output: "runtime: goroutine stack exceeds 1000-byte limit\n" +
			"fatal error: stack overflow\n\nruntime stack:\n"}, "fatal error: stack overflow"},
		{"nothing", outcome{endless: true}, "a loop does not end"},
	} {
		require.Equal(t, c.want, c.outcome.says(), c.name)
	}
}

// The text of a function is what a user pastes: not its comment, nor what stands around.
func TestFunctions(t *testing.T) {
	file := "package p_test\n\nimport \"testing\"\n\n// TestA is one.\nfunc TestA(t *testing.T) {\n\tif x {\n" +
		"\t}\n}\n\nfunc TestB(t *testing.T) {}\n"
	require.Equal(t, map[string]string{
		"TestA": "func TestA(t *testing.T) {\n\tif x {\n\t}\n}",
		"TestB": "func TestB(t *testing.T) {}",
	}, functions([]byte(file)))
}
