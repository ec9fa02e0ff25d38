package sessions_test

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/examples/sessions"
	"github.com/espalier-go/espalier/fuzzext"
)

const ttl = time.Minute

// storeCalls describes the store. It returns the time of the model.
func storeCalls(c *callseq.C) (now *time.Duration) {
	var store *sessions.Store
	c.Code("store := sessions.New(time.Minute)")
	c.Do(func() { store = sessions.New(ttl) })
	now, ends := new(time.Duration), map[string]time.Duration{}
	users := bigen.OneOf("ann", "bob", "eve")

	c.Op("store.Open", func() {
		user := callseq.Arg(c, "user", users)
		c.Want(*now >= ends[user])
		ends[user] = *now + ttl
		c.Do(func() { c.Got(store.Open(user)) })
	})
	c.Op("store.Close", func() {
		user := callseq.Arg(c, "user", users)
		c.Want(*now < ends[user])
		delete(ends, user)
		c.Do(func() { c.Got(store.Close(user)) })
	})
	return now
}

// threadCalls calls the store from several goroutines.
var threadCalls = linear.New(func(c *callseq.C) { storeCalls(c) })

func TestThreads(t *testing.T) { fuzzext.Sequence(t, threadCalls) }

// timeCalls lets time pass between calls.
var timeCalls = callseq.New(func(c *callseq.C) {
	now := storeCalls(c)
	c.Op("time.Sleep", func() {
		d := time.Duration(callseq.Arg(c, "sevens", bigen.IntRange(1, 9))) * 7 * time.Second
		*now += d
		c.Code("time.Sleep(%v)", d)
		c.Do(func() { time.Sleep(d) })
	})
}, callseq.Bubble())

func TestTime(t *testing.T) { fuzzext.Sequence(t, timeCalls) }

// Two users move at once, each to the store of the other.
func TestMove(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		a, b := sessions.New(ttl), sessions.New(ttl)
		a.Open("ann")
		b.Open("bob")
		var wg sync.WaitGroup
		wg.Go(func() { sessions.Move("ann", a, b) })
		wg.Go(func() { sessions.Move("bob", b, a) })
		wg.Wait()
		if !b.Close("ann") || !a.Close("bob") {
			t.Error("a session is lost")
		}
	})
}

// The same, under schedules that return.
func TestCallers(t *testing.T) { fuzzext.Sequence(t, threadCalls, fuzzext.Schedules()) }
