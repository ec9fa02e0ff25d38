package api_test

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// The name of a test says what it calls, then what differs.
func TestTitles(t *testing.T) {
	t.Parallel()
	type level int
	for _, c := range []struct {
		calls   calls
		result  any
		refused bool
		want    []string
	}{
		{calls{{"Add", 2, -1}}, true, false, []string{"Add", "Add returns true", "Add of 2", "Add of negative", "Add of 2 and negative"}},
		{calls{{"Add with 2", level(2), "ab"}}, 0, false, []string{"Add", "Add returns zero", "Add with 2", "Add of level", "Add of ab", "Add of level and ab"}},
		{calls{{"Sum", []float64{0, 1}}}, []int{1}, false, []string{"Sum", "Sum of two", "Sum of zero and 1", "Sum returns one"}},
		{calls{{"Sum", []float64{0, 1.5}}}, []int{}, false, []string{"Sum", "Sum returns empty", "Sum of two", "Sum of zero and fraction"}},
		{calls{{"Read", api.Code("io.EOF"), api.Code("f()")}}, nil, false, []string{"Read", "Read of io EOF"}},
		{calls{{"Parse", "", true}}, nil, true, []string{"Parse rejects empty", "Parse rejects", "Parse rejects true", "Parse rejects empty and true"}},
		{calls{{"Close"}, {"Parse", "a b"}}, nil, true, []string{"Parse rejects", "Parse rejects a b", "Close then Parse rejects", "Close then Parse rejects a b"}},
		{calls{{"New"}, {"s.Push", 1}, {"s.Push", 2}, {"s.Pop", name("s1")}}, "no word", false, []string{"s.Push then s.Pop", "New then s.Pop"}},
		{calls{{"Load", "x.env", struct{}{}, 200, time.Time{}, new(int)}}, nil, false, []string{"Load", "Load of x env", "Load of struct", "Load of large", "Load of Time", "Load of pointer", "Load of x env and struct and large and Time and pointer"}},
		{calls{{"New"}, {"&T{F: f}"}, {"T.F", name("t1")}}, nil, false, []string{"T.F", "&T{F: f} then T.F", "New then T.F"}},
		{calls{{"Decode", nil, api.Code("f()")}}, nil, false, []string{"Decode", "Decode of nil"}},
		{calls{{"bytes.NewReader"}, {"Load", ":"}}, nil, false, []string{"Load", "bytes.NewReader then Load"}},
		{calls{{"New"}, {"s.Pop", name("s1")}, {"s.Pop", name("s1")}}, nil, false, []string{"s.Pop", "New then s.Pop"}},
	} {
		require.Equal(t, c.want, api.Titles(c.calls, c.result, c.refused))
	}
}
