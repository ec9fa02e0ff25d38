package api

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// arm begins to wait for the call that runs, or for what follows the last one.
func (g *generator) arm() {
	if g.away {
		return
	}
	g.armed.Store(int64(cpuTime()))
	g.timer.Reset(g.opts.Patience)
}

// expire reports that the sequence that runs does not end, unless the machine has given it no time.
func (g *generator) expire() {
	var calls callseq.Calls
	if entered := g.entered.Load(); entered != nil {
		calls = *entered
	}
	switch used := cpuTime() - time.Duration(g.armed.Load()); {
	case used < g.opts.Patience/2 && runnable():
		g.timer.Reset(g.opts.Patience)
	case g.opts.Hung == nil:
		panic(fmt.Sprintf("api: a sequence has not ended for %v: %v", g.opts.Patience, calls))
	default:
		g.hung.Do(func() { g.opts.Hung(calls) })
	}
}

// runnable reports whether a goroutine runs a call, rather than wait for another one or for a time.
func runnable() bool {
	stacks := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if strings.Contains(stack, ".(*machine).step(") {
			return strings.Contains(stack, " [run")
		}
	}
	return false
}
