package linear_test

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/stretchr/testify/require"
)

// follow runs calls by a schedule. While it does, all that pass points belong to the run: such
// tests are not parallel.
func follow(m *linear.Model, v calls, s schedule.Schedule) (r point.Result) {
	bubble.Run(func() {
		r = point.Run(s.Of, false, true, bubble.Wait, func() { m.Run(&recorder{}, v) }, func(any) {})
	})
	return r
}

// A deadlock of a schedule is reported with the calls, and without what is not the user's.
func TestDeadlockOfSchedule(t *testing.T) {
	m := linear.New(func(c *callseq.C) {
		var mu sync.Mutex
		lock, held := (*point.Mutex)(&mu), 0
		c.Op("mu.Lock", func() {
			held++
			c.Do(func() { lock.Lock() })
		})
		c.Op("mu.Unlock", func() {
			held--
			c.Do(func() { lock.Unlock() })
		}).When(func() bool { return held > 0 })
		c.Op("n.Add", func() {
			d := callseq.Arg(c, "d", bigen.IntRange(0, 9))
			c.Want(d)
			c.Do(func() { c.Got(d) })
		})
	})

	r := follow(m,
		calls{{2, "n.Add", 2}, {1, "n.Add", 1}, {0, "mu.Lock"}, {1, "n.Add", 3}, {2, "mu.Lock"},
			{2, "n.Add", 4}}, nil)
	text, where, key := r.Stuck()
	require.Regexp(t, `^deadlock: all goroutines wait

goroutine 6: Lock, held by goroutine 4
    follow_test.go:\d+ linear_test.TestDeadlockOfSchedule.func1\S+

time, from left to right:
    alone \(goroutine 4\)                     \[c-]
    thread 1 \(goroutine 2, then 5\)  \[b-]        \[d-]
    thread 2 \(goroutine 3, then 6\)      \[a-]        \[e\.\.\.
calls:
    var threads sync.WaitGroup
    threads.Go\(func\(\) {
    	n.Add\(1\) // b: 1
    }\)
(?s:.*)    	mu.Lock\(\) // e: has not returned
    	n.Add\(4\) // f: has not begun
    }\)
    threads.Wait\(\)
$`, text)
	require.Regexp(t, `^deadlock at follow_test.go:\d+$`, where)
	require.Regexp(t, `^deadlock in linear_test.TestDeadlockOfSchedule`, key)
	require.NotContains(t, r.String(), "follow.go")

	// Before calls run at once.
	r = follow(m, calls{{0, "n.Add", 1}, {0, "mu.Lock"}, {0, "mu.Lock"}, {1, "n.Add", 2}}, nil)
	text, _, _ = r.Stuck()
	require.Regexp(t, `(?s)^deadlock.*goroutine 1: Lock, held by goroutine 1\n    follow_test.go.*
calls:
    n.Add\(1\) // 1
    mu.Lock\(\)
    mu.Lock\(\) // has not returned
$`, text)
}

// A call may wait forever where the model does not allow it.
func TestDeadlockNotJudged(t *testing.T) {
	m := linear.New(func(c *callseq.C) {
		things, n := make(chan int, 9), 0
		c.Op("put", func() {
			n++
			c.Do(func() { point.Send(things)(1) })
		})
		c.Op("take", func() {
			n--
			c.Do(func() { point.Recv(things) })
		}).When(func() bool { return n > 0 })
		c.Op("drop", func() {
			n = 0
			c.Do(func() { point.TrySelect(point.Receive(things)) })
		})
	})
	r := follow(m, calls{{0, "put"}, {1, "take"}, {2, "drop"}}, schedule.Schedule{{Goroutine: 2}})
	require.Equal(t, point.Deadlock, r.Ending)
	text, where, _ := r.Stuck()
	require.Equal(t, "", text+where)
	require.Equal(t,
		[]string{"1 of 1 runs are not judged: a call may have run where its precondition, or an " +
			"argument, does not hold"}, m.Notes())
}

// What calls leave behind is reported with the calls, too.
func TestLeakOfSchedule(t *testing.T) {
	m := linear.New(func(c *callseq.C) {
		c.Op("leave", func() {
			c.Do(func() {
				child := point.Spawn()
				go child.Run(func() { point.Recv(make(chan int)) })
			})
		})
	})
	r := follow(m, calls{{0, "leave"}}, nil)
	text, _, _ := r.Stuck()
	require.Regexp(t,
		`(?s)^leak: .*goroutine 2: receive\n    follow_test.go:.*\ncalls:\n    leave\(\)\n$`, text)
	r = follow(m, calls{{0, "leave"}, {1, "leave"}}, nil)
	text, _, _ = r.Stuck()
	require.Regexp(t,
		`(?s)^leak: .*thread 1 \(goroutine 3\)  \[a-\]\ncalls:\n    leave\(\)\n    leave\(\) // a\n$`, text)
}

// So is a panic of a goroutine that a call has started.
func TestPanicOfSchedule(t *testing.T) {
	m := linear.New(func(c *callseq.C) {
		c.Op("start", func() {
			c.Do(func() {
				child := point.Spawn()
				go child.Run(func() { panic("wrong") })
				point.Gosched()
			})
		})
	})
	r := follow(m, calls{{0, "start"}}, nil)
	require.Equal(t, point.Panic, r.Ending)
	require.Regexp(t, `^\ncalls:\n    start\(\)\n$`, r.Unsaid())
	r = follow(m, calls{{1, "start"}, {2, "start"}}, nil)
	require.Regexp(t,
		`(?s)^\ntime, .*thread 1 \(goroutine 2\)  \[a.*threads.Go.*start\(\) // a: has not returned\n`, r.Unsaid())
}
