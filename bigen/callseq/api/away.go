package api

import (
	"os"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/espalier-go/espalier/internal/job"
)

// A resultOf is a result of an operation.
type resultOf struct {
	op string
	k  int
}

// travel runs each candidate of which that is not known where the time is another one, and the time
// zone, and the home directory. It tells of the results that differ there: a test that compares them
// would fail some day, or on another machine. What runs there may leave timers and channels that end
// the process later, so another process makes the tests.
func (g *generator) travel(all []*candidate, known []job.Told) {
	local := time.Local
	defer keepEnv()()
	defer func() { time.Local = local }()
	os.Setenv("HOME", "/home/elsewhere")
	os.Setenv("USERPROFILE", `C:\Users\elsewhere`)
	time.Local = time.FixedZone("", 5*60*60+45*60)
	for _, c := range all {
		if g.over(0) {
			return
		}
		if slices.ContainsFunc(known, func(t job.Told) bool { return t.Away && t.Mistake == ^c.from }) {
			continue
		}
		if differ, known := g.elsewhere(c); known {
			g.know(job.Told{Mistake: ^c.from, Away: true, Noticed: differ})
		}
	}
}

// elsewhere returns the results of a candidate that differ there, if that is known; -1 if the
// sequence ends otherwise.
func (g *generator) elsewhere(c *candidate) (differ []job.Notice, known bool) {
	g.risk(c.sequence, ^c.from)
	g.arm()
	g.away = true // it arms no timer, as its time is not that of the process
	e, ended := ending{}, false
	bubble.Run(func() { // it is the year 2000
		e = g.traceRun(c.sequence, "")
		ended = true
	})
	g.away = false
	g.timer.Stop()
	trace, here := g.trace, make([][]any, len(c.want))
	for i := range c.want {
		here[i] = slices.Clone(c.want[i])
	}
	switch g.trace = nil; {
	case !ended: // it waits for what is not there
		return nil, false
	case !g.completes(c.sequence, e) || !c.sees(trace, g.comparable):
		return []job.Notice{{Candidate: c.from, Result: -1}}, true
	}
	for i := range here {
		for k := range here[i] {
			if here[i][k] != any(opaque{}) && c.want[i][k] == any(opaque{}) {
				differ = append(differ, job.Notice{Candidate: c.from, Call: i, Result: k})
			}
		}
	}
	return differ, true
}

// abroad notes the results of a candidate that differ elsewhere. It reports whether a test may be
// made of it.
func (g *generator) abroad(s *sequence, differ []job.Notice) bool {
	for _, n := range differ {
		if n.Result < 0 {
			return false
		}
		if g.differ[n.Candidate] == nil {
			g.differ[n.Candidate] = map[resultOf]bool{}
		}
		g.differ[n.Candidate][resultOf{nameOf(s.calls[n.Call]), n.Result}] = true
	}
	return true
}

// forget has a candidate want no result that differs elsewhere, if it is made of one of which that is
// known.
func (g *generator) forget(c *candidate) {
	differ := g.differ[^g.mistake]
	for i := range c.want {
		for k := range c.want[i] {
			if !isPanic(c.want[i]) && differ[resultOf{nameOf(c.calls[i]), k}] {
				c.want[i][k] = opaque{}
			}
		}
	}
}
