package main

import (
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// timerModel is a timer that ends some seconds from now, if it is running.
type timerModel struct {
	left           int
	running, fired bool
}

func (m *timerModel) advance(seconds int) {
	if m.left -= seconds; m.running && m.left <= 0 {
		m.running, m.fired = false, true
	}
}

// end ends the timer, and returns whether it was running. One that has fired keeps that.
func (m *timerModel) end() bool {
	was := m.running
	m.running = false
	return was
}

func (m *timerModel) begin(seconds int) { m.left, m.running = seconds, true }

type ourTimer struct {
	timerModel
	timer *seqbugs.Timer
}

func ourSeqClock(c *callseq.C) {
	clock, timers := seqbugs.NewClock(), callseq.NewPool[*ourTimer](c, "timer")
	seconds := bigen.IntRange(1, 9)
	c.Code("clock := seqbugs.NewClock()")
	c.Op("clock.Timer", func() {
		s := callseq.Arg(c, "s", seconds)
		t := timers.Add(&ourTimer{})
		t.begin(s)
		c.Do(func() { t.timer = clock.Timer(s) })
	})
	c.Op("clock.Advance", func() {
		s := callseq.Arg(c, "s", seconds)
		for _, t := range timers.All() {
			t.advance(s)
		}
		c.Do(func() { clock.Advance(s) })
	})
	c.Op("timer.Stop", func() {
		t := timers.Draw("timer")
		c.Want(t.end())
		c.Do(func() { c.Got(t.timer.Stop()) })
	}).When(timers.Any)
	c.Op("timer.Reset", func() {
		t, s := timers.Draw("timer"), callseq.Arg(c, "s", seconds)
		c.Want(t.end())
		t.begin(s)
		c.Do(func() { c.Got(t.timer.Reset(s)) })
	}).When(timers.Any)
	c.Op("timer.Fired", func() {
		t := timers.Draw("timer")
		c.Want(t.fired)
		t.fired = false
		c.Do(func() { c.Got(t.timer.Fired()) })
	}).When(timers.Any)
}

type rapidTimer struct {
	timerModel
	timer *seqbugs.Timer
}

func rapidSeqClock(t *rapid.T) {
	clock := seqbugs.NewClock()
	var timers []*rapidTimer
	timer := func(t *rapid.T) *rapidTimer {
		if len(timers) == 0 {
			t.Skip("no timer")
		}
		return rapid.SampledFrom(timers).Draw(t, "timer")
	}
	seconds := rapid.IntRange(1, 9)
	t.Repeat(map[string]func(*rapid.T){
		"Timer": func(t *rapid.T) {
			s := seconds.Draw(t, "s")
			u := &rapidTimer{timer: clock.Timer(s)}
			u.begin(s)
			timers = append(timers, u)
		},
		"Advance": func(t *rapid.T) {
			s := seconds.Draw(t, "s")
			for _, u := range timers {
				u.advance(s)
			}
			clock.Advance(s)
		},
		"Stop": func(t *rapid.T) {
			u := timer(t)
			if got, want := u.timer.Stop(), u.end(); got != want {
				t.Fatalf("Stop is %t; want %t", got, want)
			}
		},
		"Reset": func(t *rapid.T) {
			u, s := timer(t), seconds.Draw(t, "s")
			if got, want := u.timer.Reset(s), u.end(); got != want {
				t.Fatalf("Reset is %t; want %t", got, want)
			}
			u.begin(s)
		},
		"Fired": func(t *rapid.T) {
			u := timer(t)
			if got, want := u.timer.Fired(), u.fired; got != want {
				t.Fatalf("Fired is %t; want %t", got, want)
			}
			u.fired = false
		},
	})
}
