package api

import (
	"fmt"
	"sync/atomic"
	"time"
)

// watch tells of sequences before they run, and of one that does not end.
type watch struct {
	opts  *Options
	since atomic.Pointer[time.Time] // when the last sequence began, also if the clock is set; nil before the first
	runs  []byte                    // that, as JSON
	quit  chan struct{}
}

// start begins to look, until stop is called.
func (w *watch) start(opts *Options) {
	w.opts, w.quit = opts, make(chan struct{})
	go w.look()
}

func (w *watch) stop() { close(w.quit) }

// enter is called before a sequence runs.
func (w *watch) enter(line []byte) {
	if w.opts.Before != nil {
		w.opts.Before(line)
	}
	w.runs = line
	now := time.Now()
	w.since.Store(&now)
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
			if w.opts.Hung == nil {
				panic(fmt.Sprintf("api: a sequence has not ended for %v: %s", w.opts.Patience, w.runs))
			}
			w.opts.Hung(w.runs)
			return
		}
	}
}
