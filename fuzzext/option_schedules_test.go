package fuzzext

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// Options of a Check mean what they mean without schedules.
func TestSchedules(t *testing.T) {
	var values []int
	Check(t, bigen.IntRange(0, 9), func(_ *T, n int) { values = append(values, n) },
		Examples(3, 4), Unique(func(n int) int { return n }), Schedules(), Checks(20))
	require.Equal(t, []int{3, 4}, values[:2])
	require.Len(t, values, 22)
}

func TestConcurrent(t *testing.T) {
	runs := 0
	Concurrent(t, func(*T) {
		done := make(chan bool)
		go close(done)
		<-done
		runs++
	}, Checks(10))
	require.Equal(t, 10, runs)
}
