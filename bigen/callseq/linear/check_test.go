package linear

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// register describes a register that is read, written, and taken if it is not 0.
func register(c *callseq.C) {
	value := 0
	c.Op("read", func() { c.Want(value) })
	c.Op("write", func() { value = callseq.Arg(c, "x", bigen.IntRange(0, 9)) })
	c.Op("add", func() { value++ })
	c.Op("take", func() {
		c.Want(value)
		value = 0
	}).When(func() bool { return value != 0 })
	c.Op("below", func() { callseq.Arg(c, "x", bigen.IntRange(0, value)) })
}

// at is a call in a history: when it began and returned, and its results. One that returned at 0
// has not returned.
type at struct {
	call            Call
	began, returned int64
	got             []any
}

func got(results ...any) []any { return results }

func TestJudge(t *testing.T) {
	t.Parallel()
	var many []at
	for thread := range 3 {
		for i := range int64(7) {
			many = append(many, at{Call{1 + thread, "add"}, 1 + i, 9 + i, nil})
		}
	}
	for name, c := range map[string]struct {
		history []at
		want    verdict
	}{
		"one after the other": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "read"}, 3, 4, got(3)},
		}, passed},
		"an old value": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "read"}, 3, 4, got(0)},
		}, unexplained},
		"an old value at the same time": {[]at{
			{Call{1, "write", 3}, 1, 3, nil}, {Call{2, "read"}, 2, 4, got(0)},
		}, passed},
		"a new value at the same time": {[]at{
			{Call{1, "write", 3}, 1, 3, nil}, {Call{2, "read"}, 2, 4, got(3)},
		}, passed},
		"times that touch": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "read"}, 2, 3, got(0)},
		}, passed},
		"new, then old": {[]at{
			{Call{1, "write", 3}, 1, 9, nil}, {Call{2, "read"}, 2, 3, got(3)}, {Call{3, "read"}, 4, 5, got(0)},
		}, unexplained},
		"a value that nobody writes": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "read"}, 1, 2, got(4)},
		}, unexplained},
		"the prefix counts": {[]at{
			{Call{0, "write", 5}, 1, 2, nil}, {Call{1, "read"}, 3, 4, got(0)}, {Call{2, "read"}, 3, 4, got(5)},
		}, unexplained},
		"a call that was not possible": {[]at{
			{Call{1, "write", 3}, 1, 4, nil}, {Call{2, "take"}, 2, 3, got(7)},
		}, impossible},
		"a call that was possible": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "take"}, 3, 4, got(7)},
		}, unexplained},
		"an argument that was not possible": {[]at{
			{Call{1, "write", 3}, 1, 4, nil}, {Call{2, "below", 2}, 2, 5, nil}, {Call{3, "read"}, 6, 7, got(9)},
		}, impossible},
		"a panic": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "take"}, 3, 0, nil},
		}, failed},
		"a panic of a call that was not possible": {[]at{
			{Call{1, "write", 3}, 1, 4, nil}, {Call{2, "take"}, 3, 0, nil},
		}, impossible},
		"a panic after a call that was not possible": {[]at{
			{Call{0, "write", 3}, 1, 2, nil}, {Call{1, "take"}, 3, 0, nil}, {Call{2, "take"}, 4, 0, nil},
		}, impossible},
		"many orders":   {append(many[:21:21], at{Call{1, "read"}, 30, 31, got(99)}), undecided},
		"many, one fit": {append(many[:21:21], at{Call{1, "read"}, 30, 31, got(21)}), passed},
	} {
		var calls Calls
		for _, a := range c.history {
			calls = append(calls, a.call)
		}
		x := newTrial(New(register), calls)
		h, ended := make(history, len(calls)), true
		for i, a := range c.history {
			h[i] = event{began: a.began, returned: a.returned, hasBegun: true, ended: a.returned > 0, got: a.got, has: a.got != nil}
			ended = ended && h[i].ended
		}
		x.root = x.start(x.prefix)
		if !ended {
			require.Equal(t, c.want, x.judgeFailure(h, failed), name)
			continue
		}
		require.Equal(t, c.want, x.judge(h), name)
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	x := newTrial(New(register), Calls{{0, "read"}, {1, "add"}, {2, "add"}, {1, "add"}, {3, "take"}, {0, "read"}})
	h := history{
		{}, {began: 1, returned: 4, hasBegun: true, ended: true},
		{began: 2, returned: 3, hasBegun: true, ended: true},
		{began: 5, hasBegun: true},
		{began: 6, returned: 7, hasBegun: true, ended: true},
		{},
	}
	require.Equal(t, `thread 1  [a-----][c----...
thread 2    [b-]
thread 3            [d-]
`, x.timeline(h))
	require.Equal(t, []string{"a", "z", "aa", "az", "ba"}, []string{letter(0), letter(25), letter(26), letter(51), letter(52)})
}
