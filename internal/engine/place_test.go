package engine

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlaceOf(t *testing.T) {
	for log, want := range map[string]string{
		"":          "",
		"no place":  "",
		"a b.go:7:": "",
		"    --- FAIL: FuzzX (0.00s)\n        x_test.go:7: no\n        y_test.go:9: no\n": "x_test.go:7",
		"/dir/x_test.go:7: full path":                                          "/dir/x_test.go:7",
		"    fuzzing process hung or terminated unexpectedly: exit status 2\n": "fuzzing process hung or terminated unexpectedly: exit status 2",
		"testing.go:1: panic: x\n":                                             "",
	} {
		require.Equal(t, want, PlaceOf(log), log)
	}
}

// The stack of a real panic, as testing prints it, plain and indented.
func TestPlaceOfPanic(t *testing.T) {
	for place, cause := range map[string]func(){
		"place_test.go:29": func() { panic("x") },
		"place_test.go:30": func() { var s []int; s[len(s)] = 1 },
	} {
		log := func() (log string) {
			defer func() { log = fmt.Sprintf("testing.go:1: panic: %v\n%s", recover(), debug.Stack()) }()
			cause()
			return ""
		}()
		require.Equal(t, place, PlaceOf(log))
		require.Equal(t, place, PlaceOf("    "+strings.ReplaceAll(log, "\n", "\n    ")))
	}
}
