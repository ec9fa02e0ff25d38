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
	since atomic.Int64 // when the last sequence began, in ns; 0 before the first
	calls []flatCall   // of that
	quit  chan struct{}
}

func (w *watch) set(g *generator) {
	w.opts, w.quit = &g.opts, make(chan struct{})
	go w.look()
}

func (w *watch) stop() { close(w.quit) }

// enter is called before a sequence runs.
func (w *watch) enter(calls []flatCall) {
	if w.opts.Before != nil {
		w.opts.Before(w.line(calls))
	}
	w.calls = calls
	w.since.Store(time.Now().UnixNano())
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
			if since == 0 || now.UnixNano()-since < int64(w.opts.Patience) {
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
