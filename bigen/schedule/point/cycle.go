package point

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// notesLocks is whether runs note where goroutines lock what they hold. That would take a tenth of
// the time of all runs. So the first cycle begins it, and the runs that minimize the schedule of
// that one have the places.
var notesLocks atomic.Bool

// NoteLocks makes all runs note where goroutines lock what they hold, for reports of deadlocks.
func NoteLocks() { notesLocks.Store(true) }

// A link of a cycle is a goroutine that waits for the next one.
type link struct {
	from, to *goroutine
	lock     Event // where the next one has locked what this one waits for
	writer   bool  // the next one has not locked it: it waits to write, and comes first
}

// cycle returns a cycle of goroutines, each of which waits for a lock of the next one, or nil if
// there is none. The first is the one with the lowest number.
func (r *run) cycle() []link {
	done := map[*goroutine]bool{}
	for _, g := range r.all {
		if c := r.cycleTo(g, g, nil, done); c != nil {
			NoteLocks()
			return c
		}
		clear(done)
	}
	return nil
}

// cycleTo returns links from a goroutine to the one that begins a path, after that path, or nil.
func (r *run) cycleTo(first, g *goroutine, path []link, done map[*goroutine]bool) []link {
	if done[g] || g.state != locked {
		return nil
	}
	done[g] = true
	for _, l := range r.links(g) {
		if l.to == first {
			return append(path, l)
		}
		if c := r.cycleTo(first, l.to, append(path[:len(path):len(path)], l), done); c != nil {
			return c
		}
	}
	return nil
}

// links returns the links to goroutines for which one waits that waits for a lock: a writer that
// comes before a reader, or else those that hold the lock.
func (r *run) links(g *goroutine) (all []link) {
	for _, next := range r.all {
		if g.last.Why == "RLock" && next.state == locked && next.on == g.on &&
			next.last.Why == "Lock" {
			return []link{{from: g, to: next, writer: true}}
		}
		if h, ok := next.has(g.on); ok {
			l := link{from: g, to: next}
			copy(l.lock.pcs[:], h.pcs[:])
			all = append(all, l)
		}
	}
	return all
}

// has returns what a goroutine holds of a lock, and whether it does.
func (g *goroutine) has(lock any) (held, bool) {
	for _, h := range g.holds {
		if h.lock == lock {
			return h, true
		}
	}
	return held{}, false
}

// told tells a cycle: a line for each goroutine, with what it holds and what it waits for.
func told(cycle []link) string {
	if len(cycle) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nthe cycle:\n")
	for i, l := range cycle {
		before := cycle[(i+len(cycle)-1)%len(cycle)]
		fmt.Fprintf(&b, "    goroutine %d", l.from.id)
		if place, _ := before.lock.Place(); !before.writer && place != "" {
			fmt.Fprintf(&b, " has locked at %s, and", place)
		}
		place, _ := l.from.last.Place()
		fmt.Fprintf(&b, " waits at %s ", place)
		switch {
		case l.writer:
			fmt.Fprintf(&b, "until goroutine %d, which waits to write, has done so\n", l.to.id)
		case l.from == l.to:
			fmt.Fprintf(&b, "for itself\n")
		default:
			fmt.Fprintf(&b, "for goroutine %d\n", l.to.id)
		}
	}
	return b.String()
}
