package bst

import (
	"slices"
	"testing"
	"time"

	"github.com/espalier-go/espalier/eval/bug"
)

// The right functions have no bug.
func TestRight(t *testing.T) {
	for _, b := range slices.Concat(insertion("right", ""), deletion("right", ""),
		union("right", "")) {
		t.Run(b.Name, func(t *testing.T) {
			w := &bug.Watch{Most: 2000, Limit: time.Minute}
			w.Begin()
			b.Check(t, w)
		})
	}
}
