package fuzzext

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Of an assertion, a list of failures has the error, and what the test has added.
func TestSaidBy(t *testing.T) {
	assertion := "x_test.go:5: \n\tError Trace:\tx_test.go:5\n\tError:      \tNot equal: \n" +
		"\t            \texpected: 1\n\tTest:       \tTestX\n"
	for message, want := range map[string]string{
		"x_test.go:5: lost":                  "x_test.go:5: lost",
		assertion:                            "x_test.go:5: Not equal:\nexpected: 1",
		assertion + "\tMessages:   \tof 7\n": "x_test.go:5: Not equal:\nexpected: 1\nof 7",
	} {
		require.Equal(t, want, saidBy(message))
	}
}
