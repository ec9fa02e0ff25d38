package api

import (
	"os"
	"time"

	"github.com/espalier-go/espalier/internal/bubble"
)

// travel runs a candidate where the time is another one, and the time zone, and the home directory.
// The candidate wants no result from then on that differs there: a test would fail some day, or on
// another machine. It reports whether the sequence passes there, too.
func (g *generator) travel(c *candidate) (passes bool) {
	m := g.opts.mistakes
	if m == nil || m.Hunt || m.Home {
		return true
	}
	restore, local := keepEnv(), time.Local
	defer func() {
		restore()
		time.Local = local
	}()
	os.Setenv("HOME", "/home/elsewhere")
	os.Setenv("USERPROFILE", `C:\Users\elsewhere`)
	time.Local = time.FixedZone("", 5*60*60+45*60)
	g.arm()
	g.away = true // it arms no timer, as its time is not that of the process
	g.risk(c.sequence, g.mistake)
	e, ended := ending{}, false
	bubble.Run(func() { // it is the year 2000
		e = g.traceRun(c.sequence, "")
		ended = true
	})
	g.away = false
	g.timer.Stop()
	trace := g.trace
	g.trace = nil
	switch {
	case !ended: // it waits for what is not there
		return true
	case !g.completes(c.sequence, e):
		return false
	}
	return c.sees(trace, g.comparable)
}
