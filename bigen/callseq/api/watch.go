package api

import (
	"fmt"
	"sync/atomic"
	"time"
)

// watch tells of sequences before they run, and of one that does not end.
type watch struct {
	liner
	opts  *Options
	since atomic.Pointer[time.Time] // when the last sequence began, also if the clock is set; nil before the first
	calls []opCall                  // of that
	quit  chan struct{}
}

// start begins to look, until stop is called.
func (w *watch) start(opts *Options) {
	w.opts, w.quit = opts, make(chan struct{})
	go w.look()
}

func (w *watch) stop() { close(w.quit) }

// enter is called before a sequence runs.
func (w *watch) enter(calls []opCall) {
	if w.opts.Before != nil {
		w.opts.Before(w.line(calls))
	}
	w.calls = calls
	now := time.Now()
	w.since.Store(&now)
}

// keep tells of a sequence that a later run restores.
func (w *watch) keep(calls []opCall) {
	if w.opts.Kept != nil {
		w.opts.Kept(w.line(calls))
	}
}

// look reports a sequence that does not end.
func (w *watch) look() {
	tick := time.NewTicker(max(w.opts.Patience/8, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-w.quit:
			return
		case now := <-tick.C:
			since := w.since.Load()
			if since == nil || now.Sub(*since) < w.opts.Patience {
				continue
			}
			line := new(liner).line(w.calls)
			if w.opts.Hung == nil {
				panic(fmt.Sprintf("api: a sequence has not ended for %v: %s", w.opts.Patience, line))
			}
			w.opts.Hung(line)
			return
		}
	}
}
