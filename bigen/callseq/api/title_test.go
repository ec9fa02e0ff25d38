package api_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// The name of a test says what it calls, then what was called before.
func TestTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		calls   calls
		refused bool
		want    []string
	}{
		{calls{{"Add", 2, -1}}, false, []string{"Add"}},
		{calls{{"Add with 2", "ab"}}, false, []string{"Add"}},
		{calls{{"Parse", ""}}, true, []string{"Parse rejects"}},
		{calls{{"New"}, {"Close"}, {"Parse", "a"}}, true, []string{"Parse rejects", "Close then Parse rejects", "New then Close then Parse rejects"}},
		{calls{{"New"}, {"s.Push", 1}, {"s.Push", 2}, {"s.Pop", name("s1")}}, false, []string{"s.Push then s.Pop", "s.Pop", "New then s.Push then s.Pop"}},
		{calls{{"New"}, {"s.Pop", name("s1")}, {"s.Pop", name("s1")}}, false, []string{"s.Pop", "New then s.Pop"}},
	} {
		require.Equal(t, c.want, api.Titles(c.calls, c.refused))
	}
}
