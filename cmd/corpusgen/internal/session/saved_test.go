package session

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A command that runs a test again has the flags that matter, and each once.
func TestAgain(t *testing.T) {
	for _, c := range []struct {
		line         []string
		before, want string
	}{
		{nil, "go test -run '^FuzzA$/^1$' a.org/a", "go test -run '^FuzzA$/^1$' a.org/a"},
		{
			[]string{"-C", "../a b", "-tags", "x,y", "-v", "-x", "-race", "-mod=mod", "-short", "-run=."},
			"  go test -timeout 20s -race -run '^FuzzA$/^1$' a.org/a",
			"  go test -C '../a b' -timeout 20s -mod=mod -race -short -tags=x,y -run '^FuzzA$/^1$' " +
				"a.org/a",
		},
		{
			[]string{"-C", "a", "-tags=x", "-args", "-want=a b"},
			"    go test -run=FuzzA/1", "    go test -tags=x -run=FuzzA/1 -args -want='a b'",
		},
		{
			[]string{"-tags=x", "-race=false"}, "corpusgen test -overflow -run 'A' a",
			"corpusgen test -overflow -race=false -tags=x -run 'A' a",
		},
		{[]string{"-tags=x"}, "go test -run fails", "go test -run fails"},
		{[]string{"-tags=x"}, "say: go test -run=A", "say: go test -run=A"},
	} {
		s := NewBuild("fuzz")
		require.NoError(t, s.Parse(c.line))
		require.Equal(t, c.want, s.Again(c.before))
	}
}
