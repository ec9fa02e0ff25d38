package stlc

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/eval/bug"
)

// The right functions have no bug.
func TestRight(t *testing.T) {
	w := &bug.Watch{Most: 2000, Limit: time.Minute}
	w.Begin()
	newBug("right", "").Check(t, w)
}
