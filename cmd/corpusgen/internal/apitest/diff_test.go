package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What several tests print of one operation is one change.
func TestChangedOp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ output, op string }{
		{"    a_test.go:7: bitSet2.Len(): got 2, want uint(64)\n", "bitSet.Len"},
		{"    a_test.go:7: form.Decode(x1, ...): x1 = &{1}, want &T{A: 2}\n    a_test.go:9: form.Len(): got 1, want 2\n", "form.Decode"},
		{"    a_test.go:7: Sum(1): got 1, want 2\n", "Sum(1): got 1, want 2"},
		{"panic: index 7 [recovered]\n\tmore", "panic: index # [recovered]"},
	} {
		op, message := changedOp(c.output)
		require.Equal(t, c.op, op)
		require.NotEmpty(t, message)
	}
}
