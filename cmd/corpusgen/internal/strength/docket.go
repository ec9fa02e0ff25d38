package strength

import (
	"path"
	"sync"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apitest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A docket has the mistakes of a package in the order of the source. It prints a mistake once it is
// settled, and so are all before it, or at the end if tests are sought that notice survivors.
type docket struct {
	*program
	list []judgment // one that is not settled is untried

	mu      sync.Mutex
	settled int           // how many are
	next    int           // the first that is not printed
	open    []judgment    // that no test reaches
	shown   []string      // the tests that are printed, of those that are sought
	sought  *apitest.Told // or nil
	total   StrengthEvent // of those that are printed
	counts  map[verdict]int
}

func (p *program) newDocket() *docket {
	d := &docket{
		program: p, list: make([]judgment, len(p.mistakes)), counts: map[verdict]int{},
		total: StrengthEvent{Mistakes: len(p.mistakes), Left: p.left},
	}
	for i := range p.mistakes {
		m := &p.mistakes[i]
		d.list[i] = judgment{Mistake: m, Verdict: untried, Tests: p.tests.of(m.Number)}
	}
	return d
}

// settle sets the verdict on a mistake.
func (d *docket) settle(i int, j judgment) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list[i] = j
	d.settled++
	d.counts[j.Verdict]++
	for d.seeking == 0 && d.next < len(d.list) && d.list[d.next].Verdict != untried {
		d.print(d.list[d.next])
		d.next++
	}
	d.Status("%s: %d of %s, %d noticed, %d survive", path.Base(d.pkg.ImportPath), d.settled,
		session.Count(len(d.list), "mistake", "mistakes"), d.counts[killed], d.counts[survives])
}

// close prints what is left, and counts. What is not settled stays untried.
func (d *docket) close() {
	d.Status("")
	for _, j := range d.list[d.next:] {
		d.print(j)
	}
	d.untried += d.total.Untried
	if d.change == nil && d.total.Untried == 0 {
		d.accepted.judge(d.pkg.ImportPath, d.list)
	}
	d.printUnreached(d.open)
	d.printSought()
	d.total.Head = d.head("strength")
	d.printTotal(d.total)
	d.Emit(d.total)
}

// print prints a mistake that no test notices, and counts any.
func (d *docket) print(j judgment) {
	if j.known {
		d.total.Known++
	}
	event := MistakeEvent{Mistake: *j.Mistake, Tests: j.Tests, Why: j.Why}
	if j.lead != nil {
		event.Test, event.Says, event.Tries = j.lead.Code, j.lead.Says, j.lead.Tries
	}
	switch j.Verdict {
	case killed:
		d.total.Killed++
		return
	case untried:
		d.total.Untried++
		return
	case unsteady:
		d.total.Unsteady++
		event.Head = d.head("unsteady")
		d.printUnsteady(j)
	case unreached:
		d.total.Unreached++
		event.Head = d.head("unreached")
		d.open = append(d.open, j)
	case survives:
		d.total.Survive++
		event.Head = d.head("survivor")
		if event.Accepted = d.accepted.has(j, d.pkg.ImportPath); event.Accepted {
			d.total.Accepted++
		} else {
			d.strange++
			d.printSurvivor(j)
			d.printLead(j)
		}
	}
	d.Emit(event)
}

func (p *program) head(event string) session.Head {
	return session.NewHead(event, p.pkg.ImportPath, "")
}
