package main

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/bugs"
)

func FuzzValid(f *testing.F) { fuzzed(f).FuzzValid(f) }
func FuzzRapid(f *testing.F) { fuzzed(f).FuzzRapid(f) }

// fuzzed returns the bug that this process searches for.
func fuzzed(f *testing.F) bug.Bug {
	b, ok := bugs.Named(os.Getenv(fuzzEnv))
	if !ok {
		f.Skip("run go run . -fuzz")
	}
	return b
}
