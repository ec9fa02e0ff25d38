package live

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCleanups(t *testing.T) {
	var s Cleanups
	var called []string
	add := func(name string, f func()) { s.Add(func() { called = append(called, name); f() }) }
	add("first", func() {})
	add("panics", func() { panic("p") })
	add("adds", func() { add("added", func() {}) })
	add("exits", runtime.Goexit)
	add("last", func() {})
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		s.Run()
	}()
	<-done
	require.Equal(t, []string{"last", "exits", "adds", "added", "panics", "first"}, called)
	s.Run()
	require.Len(t, called, 6)
}
