package cputime

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// CPU time passes while the process computes, and does not while it sleeps.
func TestProcess(t *testing.T) {
	before, ok := Process()
	if !ok {
		return
	}
	n := 0
	for {
		for range 1 << 20 {
			n++
		}
		if now, _ := Process(); now-before > 20*time.Millisecond {
			break
		}
	}
	assert.NotZero(t, n)
	before, _ = Process()
	time.Sleep(50 * time.Millisecond)
	after, _ := Process()
	assert.Less(t, after-before, 40*time.Millisecond)
}
