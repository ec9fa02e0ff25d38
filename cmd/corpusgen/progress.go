package main

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/espalier-go/espalier/internal/job"
)

// A progress is what the status line tells, in the same way for all commands.
type progress struct {
	done, wanted int           // wanted is 0 if nobody knows
	one, many    string        // what is counted
	left         time.Duration // until the time is up; 0 without a limit
	found        int           // new entries; -1 if none are sought
	failures     int
}

func (p progress) String() string {
	var parts []string
	if p.wanted > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s", min(p.done, p.wanted), count(p.wanted, p.one, p.many)))
	} else {
		parts = append(parts, count(p.done, p.one, p.many))
	}
	if p.left > 0 {
		parts = append(parts, fmt.Sprintf("%v left", p.left.Round(time.Second)))
	}
	if p.found >= 0 {
		parts = append(parts, fmt.Sprintf("%d new", p.found))
	}
	if p.failures > 0 {
		parts = append(parts, count(p.failures, "failure", "failures"))
	}
	return strings.Join(parts, ", ")
}

// progressOf returns the progress of an order that has been carried out in part: by processes
// that have ended with an answer, and by one that is at now.
func progressOf(o *job.Order, before *job.Answer, now job.Progress) progress {
	soFar := *before
	soFar.End = nil
	soFar.Add(before.End)
	soFar.Add(&now.End)
	end := soFar.End
	p := progress{found: -1, failures: now.Failures, one: "value", many: "values"}
	for _, e := range before.Entries {
		if isFailure(e.Status) {
			p.failures++
		}
	}
	switch {
	case o.Make != nil:
		p.done, p.wanted = now.Number, o.Make.N
	case o.Mutate != nil:
		p.one, p.many = "mutant", "mutants"
		p.wanted = o.Mutate.N
		p.done = end.Tried - end.Old - end.Rejected - end.Invalid
		if until := o.Mutate.Until; !until.IsZero() {
			p.left = max(time.Until(until), time.Millisecond)
		}
	case o.Read != nil:
		p.done, p.wanted = now.Number, len(o.Read.Files)+o.Read.Draw
	case o.Import != nil:
		p.done = now.Number
	case o.Tune != nil:
		p.done, p.wanted, p.one, p.many = now.Number, o.Tune.AllRounds(), "round", "rounds"
	}
	return p
}

func isFailure(s job.Status) bool {
	return s == job.Failing || s == job.Hanging || s == job.Fatal
}

// status shows a status line about the target, whose name is short.
func (t *userTarget) status(format string, args ...any) {
	t.s.status("%s %s: %s", path.Base(t.pkg.Path), t.name, fmt.Sprintf(format, args...))
}

// watch shows in the status line how far a process has got with an order, until the caller
// calls the result.
func (t *userTarget) watch(o *job.Order, before *job.Answer) (stop func()) {
	if t.s.width == 0 {
		return func() {}
	}
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		begun := false
		for tick := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				if now, ok := o.Progress(); ok {
					begun = true
					t.status("%v", progressOf(o, before, now))
				} else if !begun {
					t.status("building the test binary")
				}
			}
		}
	}()
	return func() {
		close(done)
		<-stopped
	}
}
