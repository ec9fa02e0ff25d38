package linear

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/stretchr/testify/require"
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
			{Call{1, "write", 3}, 1, 9, nil}, {Call{2, "read"}, 2, 3, got(3)},
			{Call{3, "read"}, 4, 5, got(0)},
		}, unexplained},
		"a value that nobody writes": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "read"}, 1, 2, got(4)},
		}, unexplained},
		"the prefix counts": {[]at{
			{Call{0, "write", 5}, 1, 2, nil}, {Call{1, "read"}, 3, 4, got(0)},
			{Call{2, "read"}, 3, 4, got(5)},
		}, unexplained},
		"a call that was not possible": {[]at{
			{Call{1, "write", 3}, 1, 4, nil}, {Call{2, "take"}, 2, 3, got(7)},
		}, impossible},
		"a call that was possible": {[]at{
			{Call{1, "write", 3}, 1, 2, nil}, {Call{2, "take"}, 3, 4, got(7)},
		}, unexplained},
		"an argument that was not possible": {[]at{
			{Call{1, "write", 3}, 1, 4, nil}, {Call{2, "below", 2}, 2, 5, nil},
			{Call{3, "read"}, 6, 7, got(9)},
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
		require.Equal(t, c.want, judged(register, c.history), name)
	}
}

// counting describes a counter.
func counting(c *callseq.C) {
	n := 0
	c.Op("add", func() {
		n++
		c.Want(n)
	})
	c.Op("read", func() { c.Want(n) })
}

// The first call that no order explains is named, with an order that explains the results before.
func TestFirstUnexplained(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		define  func(c *callseq.C)
		history []at
		call    int
		order   []int
		want    [][]any
	}{
		"the last": {register, []at{
			{Call{0, "write", 4}, 1, 2, nil}, {Call{1, "write", 3}, 3, 9, nil},
			{Call{2, "read"}, 4, 5, got(3)}, {Call{3, "read"}, 6, 7, got(4)},
			{Call{2, "read"}, 10, 11, got(7)},
		}, 3, []int{1, 2, 3}, [][]any{{3}}},
		"a call that others need": {register, []at{
			{Call{1, "write", 3}, 3, 0, nil}, {Call{2, "read"}, 4, 5, got(3)},
			{Call{3, "read"}, 6, 7, got(0)},
		}, 2, []int{0, 1, 2}, [][]any{{3}}},
		"states": {bag, []at{
			{Call{1, "put", 1}, 1, 2, nil}, {Call{2, "put", 2}, 1, 2, nil},
			{Call{1, "get"}, 3, 9, got(2)}, {Call{2, "get"}, 4, 5, got(2)},
		}, 2, []int{0, 1, 3, 2}, [][]any{{1}}},
		"a call whose effect is seen": {counting, []at{
			{Call{1, "add"}, 1, 9, got(5)}, {Call{2, "read"}, 2, 3, got(1)}, {Call{3, "read"}, 4, 5, got(1)},
		}, 0, []int{0, 1, 2}, [][]any{{1}}},
		"none": {register, []at{{Call{1, "write", 3}, 3, 4, nil}, {Call{2, "read"}, 5, 6, got(3)}},
			-1, nil, nil},
	} {
		x, h, _ := historyOf(c.define, c.history)
		call, explained := x.firstUnexplained(h)
		require.Equal(t, c.call, call, name)
		if call >= 0 {
			order, want := x.order(explained, call)
			require.Equal(t, c.order, order, name)
			require.Equal(t, c.want, want, name)
		}
	}
}

// judged returns the verdict on a history of a model.
func judged(define func(c *callseq.C), calls []at) verdict {
	x, h, ended := historyOf(define, calls)
	if !ended {
		return x.judgeFailure(h, failed)
	}
	return x.judge(h)
}

func historyOf(define func(c *callseq.C), history []at) (x *trial, h history, ended bool) {
	var calls Calls
	ended = true
	for _, a := range history {
		calls = append(calls, a.call)
		h = append(h, event{
			began:    a.began,
			returned: a.returned,
			hasBegun: true,
			ended:    a.returned > 0,
			got:      a.got,
			has:      a.got != nil,
		})
		ended = ended && a.returned > 0
	}
	x = newTrial(New(define), calls)
	x.root = x.start()
	return x, h, ended
}

// bag describes a bag of numbers: get returns any of them, or 0.
func bag(c *callseq.C) {
	bags := callseq.NewStates(c, "")
	c.Op("put", func() {
		x := callseq.Arg(c, "x", bigen.IntRange(1, 9))
		bags.Step(func(bag string, next func(string, ...any)) { next(bag + string(rune('0'+x))) })
	})
	c.Op("get", func() {
		bags.Step(func(bag string, next func(string, ...any)) {
			for i, x := range bag {
				next(bag[:i]+bag[i+1:], int(x-'0'))
			}
			if bag == "" {
				next(bag, 0)
			}
		})
	})
}

// A model may have several states, until results tell.
func TestJudgeStates(t *testing.T) {
	t.Parallel()
	put := func(thread, x int, began, returned int64) at {
		return at{Call{thread, "put", x}, began, returned, nil}
	}
	get := func(thread int, began, returned int64, x int) at {
		return at{Call{thread, "get"}, began, returned, got(x)}
	}
	for name, c := range map[string]struct {
		history []at
		want    verdict
	}{
		"any": {[]at{put(1, 1, 1, 2), put(1, 2, 3, 4), get(2, 5, 6, 2),
			get(2, 7, 8, 1), get(2, 9, 10, 0)}, passed},
		"the other": {[]at{put(1, 1, 1, 2), put(1, 2, 3, 4), get(2, 5, 6, 1),
			get(2, 7, 8, 2), get(2, 9, 10, 0)}, passed},
		"one twice": {[]at{put(1, 1, 1, 2), put(1, 2, 3, 4), get(2, 5, 6, 2),
			get(2, 7, 8, 2)}, unexplained},
		"at once": {[]at{put(1, 1, 1, 9), put(2, 2, 1, 9), get(3, 1, 9, 2),
			get(1, 10, 11, 1)}, passed},
		"at once, twice": {[]at{put(1, 1, 1, 9), put(2, 2, 1, 9), get(3, 1, 9, 2),
			get(1, 10, 11, 2)}, unexplained},
		"the prefix tells": {[]at{put(0, 1, 1, 2), put(0, 2, 3, 4), get(0, 5, 6, 2),
			get(1, 7, 9, 1), get(2, 8, 10, 0)}, passed},
		"the prefix tells, too": {[]at{put(0, 1, 1, 2), put(0, 2, 3, 4), get(0, 5, 6, 2),
			get(1, 7, 9, 2), get(2, 8, 10, 0)}, unexplained},
		"a call never returns": {[]at{put(0, 1, 1, 2), put(0, 2, 3, 4),
			{Call{1, "get"}, 7, 0, nil}, get(2, 8, 10, 1), get(3, 8, 11, 0)}, failed},
	} {
		require.Equal(t, c.want, judged(bag, c.history), name)
	}
	// Runs of one sequence have their own results.
	x, h, _ := historyOf(bag, []at{put(0, 1, 1, 2), put(0, 2, 3, 4), get(1, 5, 6, 2), get(1, 7, 8, 1)})
	require.Equal(t, passed, x.judge(h))
	h[2].got, h[3].got = got(1), got(2)
	require.Equal(t, passed, x.judge(h))
	h[2].got, h[3].got = got(1), got(1)
	require.Equal(t, unexplained, x.judge(h))
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	x := newTrial(New(register),
		Calls{{0, "read"}, {1, "add"}, {2, "add"}, {1, "add"}, {3, "take"}, {0, "read"}})
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
	require.Equal(t, []string{"a", "z", "aa", "az", "ba"},
		[]string{letter(0), letter(25), letter(26), letter(51), letter(52)})
}
