package callseq_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/stretchr/testify/require"
)

// A ttlCache keeps keys for a minute. In the planted bug, the timer of a key is not stopped when
// the key is set again.
type ttlCache struct {
	timers  map[string]*time.Timer
	planted bool
	events  chan func()
	closed  chan bool
}

func newTTLCache(planted bool) *ttlCache {
	c := &ttlCache{
		timers:  map[string]*time.Timer{},
		planted: planted,
		events:  make(chan func()),
		closed:  make(chan bool),
	}
	go func() {
		defer close(c.closed)
		for f := range c.events {
			f()
		}
	}()
	return c
}

func (c *ttlCache) do(f func()) {
	done := make(chan bool)
	c.events <- func() {
		f()
		close(done)
	}
	<-done
}

func (c *ttlCache) Set(k string) {
	c.do(func() {
		if t := c.timers[k]; t != nil && !c.planted {
			t.Stop()
		}
		c.timers[k] = time.AfterFunc(time.Minute, func() { c.do(func() { delete(c.timers, k) }) })
	})
}

func (c *ttlCache) Has(k string) (ok bool) {
	c.do(func() { ok = c.timers[k] != nil })
	return ok
}

func (c *ttlCache) Close() {
	c.do(func() {
		for _, t := range c.timers {
			t.Stop()
		}
	})
	close(c.events)
	<-c.closed
}

func ttlModel(planted bool) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		var cache *ttlCache
		c.Code("cache := newTTLCache(%v)", planted)
		c.Do(func() {
			cache = newTTLCache(planted)
			c.Cleanup(func() {
				time.Sleep(2 * time.Minute) // timers that the bug forgets must not outlive the cache
				cache.Close()
			})
		})
		now, until := time.Duration(0), map[string]time.Duration{}
		key := bigen.OneOf("a", "b")
		c.Op("cache.Set", func() {
			k := callseq.Arg(c, "k", key)
			until[k] = now + time.Minute
			c.Do(func() { cache.Set(k) })
		})
		c.Op("cache.Has", func() {
			k := callseq.Arg(c, "k", key)
			c.Want(now < until[k])
			c.Do(func() { c.Got(cache.Has(k)) })
		})
		c.Op("time.Sleep", func() {
			d := 7 * time.Second * callseq.Arg(c, "d", bigen.IntRange[time.Duration](1, 9))
			now += d
			c.Code("time.Sleep(%v)", d)
			c.Do(func() { time.Sleep(d) })
		})
	}, callseq.Bubble())
}

func TestBubble(t *testing.T) {
	t.Parallel()
	for _, planted := range []bool{false, true} {
		m := ttlModel(planted)
		found := false
		for i := range 200 {
			v, tree, err := bigen.Run(m.Gen(), varied.Source(rng(1), i))
			require.NoError(t, err)
			out := output(m, v)
			if !planted {
				require.Empty(t, out)
			}
			if out == "" {
				continue
			}
			require.LessOrEqual(t, len(minimal(t, m, tree)), 6)
			found = true
			break
		}
		require.Equal(t, planted, found)
	}
}

func TestBubbleEnds(t *testing.T) {
	t.Parallel()
	for want, op := range map[string]func(c *callseq.C){
		"deadlock: all goroutines wait for each other\ncalls:\n    op()\n    // then: deadlock": func(*callseq.C) { <-make(chan bool) },
		"the sequence leaves goroutines behind": func(*callseq.C) {
			go func() { <-make(chan bool) }()
		},
		"calls:\n    op()\npanic: boom\n\nin a bubble": func(*callseq.C) { panic("boom") },
		"calls:\n    op()\npanic: late": func(c *callseq.C) {
			c.Cleanup(func() { panic("late") })
		},
		"wrong\ncalls:\n    op()\n    // then: wrong": func(c *callseq.C) { c.Fatalf("wrong") },
		"": func(c *callseq.C) { c.SkipNow() },
	} {
		m := callseq.New(func(c *callseq.C) { c.Op("op", func() { c.Do(func() { op(c) }) }) },
			callseq.Bubble())
		out := output(m, calls{{"op"}})
		require.Contains(t, out, want)
		require.Equal(t, want == "", out == "")
	}
	closed := 0
	m := callseq.New(func(c *callseq.C) {
		c.Op("op", func() {
			c.Do(func() {
				c.Cleanup(func() { closed++ })
				c.Cleanup(func() { runtime.Goexit() })
			})
		})
	}, callseq.Bubble())
	output(m, calls{{"op"}, {"op"}})
	require.Equal(t, 2, closed)
}
