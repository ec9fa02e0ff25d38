package bubble

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func forever() { <-make(chan bool) }

func TestRun(t *testing.T) {
	require.False(t, Inside())
	start := time.Now()
	var inside bool
	require.True(t, nil == Run(func() {
		inside = Inside()
		time.Sleep(1000 * time.Hour)
		require.Panics(t, func() { Run(func() {}) })
	}))
	require.True(t, inside)
	require.Less(t, time.Since(start), time.Hour)

	waiting := Run(func() {
		go time.Sleep(time.Hour)
		go forever()
		forever()
	})()
	require.Len(t, waiting, 2)
	require.Contains(t, waiting[0], "bubble.TestRun.func")
	require.Contains(t, waiting[1],
		"created by github.com/espalier-go/espalier/internal/bubble.TestRun.func")
	require.Len(t, Run(func() { go time.Sleep(time.Hour) })(), 1, "time stops when f has returned")
}
