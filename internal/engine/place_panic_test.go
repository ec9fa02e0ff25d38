package engine

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The stack of a real panic, as testing prints it, plain and indented.
func TestPlaceOfPanic(t *testing.T) {
	for place, cause := range map[string]func(){
		"place_panic_test.go:15": func() { panic("x") },
		"place_panic_test.go:16": func() { var s []int; s[len(s)] = 1 },
		"place_panic_test.go:17": func() { m := map[string]map[string]int{}; m["a"]["b"] = 1 },
		"place_panic_test.go:18": func() { defer func() { panic(recover()) }(); panic("x") },
		"place_panic_test.go:20": func() {
			defer func() { panic(fmt.Sprint(recover())) }() // another value is another panic
			panic("x")
		},
		"place_panic_test.go:26": func() {
			defer passOn()
			func() {
				panic(fmt.Errorf("x"))
			}()
		},
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

// passOn passes on a panic, as code does that cannot recover some values only.
func passOn() {
	if err := recover(); err != nil {
		panic(err)
	}
}
