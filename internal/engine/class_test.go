package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlain(t *testing.T) {
	tests := []struct{ message, want string }{
		{"", ""},
		{"\n  \n lost\nmore", "lost"},
		{"the sum is 104", "the sum is …"},
		{"the sum is -1.5e+07 at 0xc000123abc", "the sum is … at …"},
		{"from 3-5 to +7, well-5", "from … to …, well-…"},
		{"index out of range [5] with length 3", "index out of range … with length …"},
		{`got "a\"b", want 'c'`, "got …, want …"},
		{"it isn't there, nor its int64", "it isn't there, nor its int64"},
		{`node []int{1, 2}, T{X: "}"} differs`, "node …int…, T… differs"},
		{"1, 2, 3 left", "… left"},
		{"open \"x", "open …x"},
		{"\n\tError Trace:\t/x_test.go:5\n\tError:      \tReceived unexpected error:\n\t            \tline 3: bad escape\n\tTest: \tX", "Received unexpected error: line …: bad escape"},
		{"\n\tError Trace:\t/x_test.go:5\n\tError:      \tNot equal: \n\t            \texpected: \"a\"\n", "Not equal: expected: …"},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, Plain(test.message), "%q", test.message)
	}
}

func TestClassOf(t *testing.T) {
	assert.Equal(t, "x_test.go:12: lost …", ClassOf("--- FAIL: FuzzX (0.00s)\n    x_test.go:12: lost 5\n"))
	assert.Equal(t, "", ClassOf("nothing"))
}
