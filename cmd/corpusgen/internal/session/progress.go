package session

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/espalier-go/espalier/internal/job"
)

// A Progress is what the status line tells, in the same way for all commands.
type Progress struct {
	Done, Wanted int           // wanted is 0 if nobody knows
	One, Many    string        // what is counted
	Left         time.Duration // until the time is up; 0 without a limit
	Found        int           // new entries; -1 if none are sought
	Failures     int
	Seconds      float64 // that Done has taken, or 0
	Covered      int     // of Blocks of code, 0 if nobody knows
	Blocks       int
}

func (p Progress) String() string {
	var parts []string
	if p.Wanted > 0 {
		parts = append(parts,
			fmt.Sprintf("%d of %s", min(p.Done, p.Wanted), Count(p.Wanted, p.One, p.Many)))
	} else {
		parts = append(parts, Count(p.Done, p.One, p.Many))
	}
	if p.Seconds >= 1 {
		parts = append(parts, fmt.Sprintf("%.0f/s", float64(p.Done)/p.Seconds))
	}
	switch {
	case p.Blocks > 0:
		parts = append(parts, fmt.Sprintf("%d of %d blocks", p.Covered, p.Blocks))
	case p.Covered > 0:
		parts = append(parts, Count(p.Covered, "block", "blocks"))
	}
	if p.Left > 0 {
		parts = append(parts, fmt.Sprintf("%v left", p.Left.Round(time.Second)))
	}
	if p.Found >= 0 {
		parts = append(parts, fmt.Sprintf("%d new", p.Found))
	}
	if p.Failures > 0 {
		parts = append(parts, Count(p.Failures, "failure", "failures"))
	}
	return strings.Join(parts, ", ")
}

// progressOf returns the progress of an order that has been carried out in part: by processes
// that have ended with an answer, and by one that is at now.
func progressOf(o *job.Order, before *job.Answer, now job.Progress) Progress {
	soFar := *before
	soFar.End = nil
	soFar.Add(before.End)
	soFar.Add(&now.End)
	end := soFar.End
	p := Progress{Found: -1, Failures: now.Failures, One: "value", Many: "values"}
	for _, e := range before.Entries {
		if IsFailure(e.Status) {
			p.Failures++
		}
	}
	switch {
	case o.Make != nil:
		p.Done, p.Wanted = now.Number, o.Make.N
	case o.Mutate != nil:
		p.One, p.Many = "mutant", "mutants"
		p.Wanted = o.Mutate.N
		p.Done = end.Tried - end.Old - end.Rejected - end.Invalid
		if limit := o.Mutate.Limit; limit > 0 {
			p.Left = max(limit-now.Spent, time.Millisecond)
		}
	case o.Read != nil:
		if p.Done = now.Number; o.Read.Format == "" {
			p.Wanted = len(o.Read.Files) + o.Read.Draw
		}
	case o.Tune != nil:
		p.Done, p.Wanted, p.One, p.Many = now.Number, o.Tune.Rounds, "round", "rounds"
	}
	return p
}

func IsFailure(s job.Status) bool {
	return s == job.Failing || s == job.Hanging || s == job.Fatal
}

// Status shows a status line about the target, whose name is short.
func (t *Target) Status(format string, args ...any) {
	t.Session.Status("%s %s: %s", path.Base(t.Package.Path), t.Name, fmt.Sprintf(format, args...))
}

// Progress shows how far a long command has got with the target: in the status line, or in a line
// every few seconds if there is no terminal.
func (t *Target) Progress(p Progress) {
	t.Status("%v", p)
	if t.Session.due(time.Now()) {
		t.Session.Note("%s: %v", t.Label, p)
	}
}

// watch shows in the status line how far a process has got with an order, until the caller
// calls the result.
func (t *Target) watch(o *job.Order, before *job.Answer) (stop func()) {
	if !t.Session.terminal {
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
					t.Status("%v", progressOf(o, before, now))
				} else if !begun {
					t.Status("building the test binary")
				}
			}
		}
	}()
	return func() {
		close(done)
		<-stopped
	}
}
