package point

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/exp/slices"
)

// An Ending says how a run has ended.
type Ending string

// The endings. Without one, all goroutines have ended.
const (
	Deadlock  Ending = "deadlock: all goroutines wait"
	Leak      Ending = "leak: the test has ended, and goroutines that it has started wait forever"
	Lingering Ending = "leak: the test has ended, and a goroutine that it has started never " +
		"ends: end it before the property returns, or in a cleanup"
	Livelock Ending = "livelock: the run does not end, within a million points or 200,000 turns"
	Panic    Ending = "a goroutine panics"
	Foreign  Ending = "foreign: a goroutine runs code with points that the run does not know"
)

// A Result is what has become of a run.
type Result struct {
	Ending  Ending
	Foreign string  // what is wrong with a goroutine that the run does not know, and what to do; or ""
	Waiting []Event // what goroutines that have not ended wait for, by their numbers
	Points  []int   // how many each goroutine has passed
	Shared  [][]int // by goroutine: points at which it used what others used; or nil
	Timed   bool    // goroutines have waited for time to pass
	events  []Event
	cycle   []link
	explain func(stuck bool) (text string, fails bool)
	races   string // reports of the race detector
}

// result returns what has become of the run, which has ended.
func (r *run) result() Result {
	if r.ending == Livelock && r.ended > 0 {
		r.ending, r.events = Lingering, r.events[:r.ended]
	}
	res := Result{
		Ending:  r.ending,
		Foreign: r.foreign,
		Waiting: r.loops,
		Timed:   r.timed,
		events:  r.events,
		explain: r.explain,
		races:   endRaces(),
	}
	if r.records {
		res.Shared = r.shared()
	}
	if r.traces {
		for _, t := range r.touched {
			traced = append(traced, t.at)
		}
	}
	for _, g := range r.all {
		res.Points = append(res.Points, g.points)
		if g.state != ended && r.ending == "" {
			e := g.last
			if g.state == locked {
				e.Why += r.holders(g.on, e.Why)
			}
			res.Waiting = append(res.Waiting, e)
		}
	}
	switch {
	case r.ending != "" || len(res.Waiting) == 0:
	case r.all[0].state == ended:
		res.Ending = Leak
	default:
		res.Ending = Deadlock
	}
	if res.Ending == Deadlock || res.Ending == Leak {
		res.cycle = r.cycle()
	}
	return res
}

// holders says which goroutines hold a lock, or wait to write, which a reader waits for.
func (r *run) holders(lock any, why string) (text string) {
	for _, g := range r.all {
		if why == "RLock" && g.state == locked && g.on == lock && g.last.Why == "Lock" {
			return fmt.Sprintf(", a writer waits: goroutine %d", g.id)
		}
	}
	for _, g := range r.all {
		if _, ok := g.has(lock); ok {
			text += fmt.Sprintf(", held by goroutine %d", g.id)
		}
	}
	return text
}

// An Event is the end of a turn of a goroutine, or a point that it has passed.
type Event struct {
	Goroutine int
	Why       string // the turn ends
	Point     int
	pcs       [12]uintptr
}

// mostEvents is how many are kept.
const mostEvents = 200

// note records that a turn may end, a number of calls above the user's function.
//
//go:norace
func (g *goroutine) note(why string, skip int) {
	happensBefore(g.run)
	g.last = Event{Goroutine: g.id, Why: why}
	runtime.Callers(skip+1, g.last.pcs[:])
	if r := g.run; len(r.events) < mostEvents && !g.exits {
		r.events = append(r.events, g.last)
	}
}

// announce records that the turn ends if the goroutine waits in code without points.
//
//go:norace
func (g *goroutine) announce(why string) {
	happensBefore(g.run)
	g.last = Event{Goroutine: g.id, Why: why}
	runtime.Callers(3, g.last.pcs[:])
}

// Place returns where the turn ends, as FILE:LINE, and the function.
func (e *Event) Place() (place, function string) {
	place, function, _ = strings.Cut(e.first(), " ")
	return place, function
}

func (e *Event) first() string {
	first, _, _ := strings.Cut(e.Stack(), "\n")
	return first
}

// After returns the operation that precedes the point, such as Unlock, or "" if the operation
// follows it.
func (e *Event) After() string {
	frames := runtime.CallersFrames(e.pcs[:])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); more && strings.HasSuffix(f.Function, "/point.unlocked") {
			f, _ = frames.Next()
			return f.Function[strings.LastIndexByte(f.Function, '.')+1:]
		}
	}
	return ""
}

// Stack returns where the turn ends: lines of FILE:LINE FUNCTION, the innermost first.
func (e *Event) Stack() string {
	var b strings.Builder
	frames := runtime.CallersFrames(e.pcs[:])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		name, last := shown(f.Function, f.File, b.Len() == 0)
		if name != "" {
			fmt.Fprintf(&b, "%s:%d %s\n", filepath.Base(f.File), f.Line, name)
		}
		more = more && !last
	}
	return b.String()
}

// shown returns what a stack shows of a function, or "", and whether the function below it has
// called the test, or one of its calls. Functions of the runtime at the top show that the goroutine
// panics, and the like.
func shown(function, file string, top bool) (name string, last bool) {
	slash := strings.LastIndexByte(function, '/')
	name = function[slash+1:]
	// as in v2
	if major, of, _ := strings.Cut(name, "."); slash > 0 && strings.Trim(major, "v0123456789") == "" {
		name = function[strings.LastIndexByte(function[:slash], '/')+1:slash] + "." + of
	}
	switch {
	case strings.HasPrefix(name, "runtime.") && top:
		return "", false
	case strings.HasPrefix(name, "fuzzext.") || strings.HasPrefix(name, "runtime.") ||
		strings.Contains(function, "/bigen/callseq.") ||
		strings.Contains(function, "/bigen/callseq/linear.") ||
		strings.Contains(function, "/bigen/callseq/api."):
		return "", true
	case own(file):
		return "", false
	}
	return name, false
}

// Failure says why a run fails: the text of a failure, its place, and a key that distinguishes it
// from others. They are "" if the run does not fail, or if the test itself has failed and there is
// nothing else to report.
func (r *Result) Failure(failed bool) (text, where, key string) {
	if text, where, key = r.race(); text == "" && !failed {
		return r.Stuck()
	}
	return text, where, key
}

// Stuck says why a run has not ended: the text of a failure, its place, and a key that
// distinguishes it from others. They are "" if the run has ended, or if a goroutine has
// panicked or is not known.
func (r *Result) Stuck() (text, where, key string) {
	if r.Ending == "" || r.Ending == Panic || r.Ending == Foreign {
		return "", "", ""
	}
	more, fails := r.ask(true)
	if !fails {
		return "", "", ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, r.Ending)
	b.WriteString(told(r.cycle))
	kind, _, _ := strings.Cut(string(r.Ending), ":")
	where = kind
	for _, e := range r.Waiting {
		place, function := e.Place()
		switch {
		case place == "": // it waits for the goroutines of the test
			continue
		case key == "":
			where, key = kind+" at "+place, kind+" in "+function
		}
		fmt.Fprintf(&b, "\ngoroutine %d: %s\n", e.Goroutine, e.Why)
		for line := range strings.Lines(e.Stack()) {
			fmt.Fprintf(&b, "    %s", line)
		}
	}
	if more != "" {
		b.WriteString("\n" + more)
	}
	return b.String(), where, key
}

// Unsaid returns what the test has not said about a run that fails, such as its calls.
func (r *Result) Unsaid() string {
	text, _ := r.ask(false)
	return text
}

func (r *Result) ask(stuck bool) (text string, fails bool) {
	if r.explain == nil {
		return "", true
	}
	one.Lock()
	defer one.Unlock()
	return r.explain(stuck)
}

// own reports whether a file belongs to this package.
func own(file string) bool {
	return strings.Contains(filepath.ToSlash(file), "bigen/schedule/point/") &&
		!strings.HasSuffix(file, "_test.go")
}

// String returns the schedule of the run: a line for the end of each turn, which says why and
// where it ended, in a column for each goroutine.
func (r Result) String() string {
	widths := make([]int, len(r.Points))
	cells := make([]string, len(r.events))
	for i, e := range r.events {
		place, _ := e.Place()
		if after := e.After(); after != "" {
			place = "after " + after + " " + place
		}
		cells[i] = strings.TrimSpace(e.Why + " " + place)
		widths[e.Goroutine] = max(widths[e.Goroutine], len(cells[i]), len(heading(e.Goroutine)))
	}
	line := func(cell func(goroutine int) string) (text string) {
		for g, width := range widths {
			if width > 0 {
				text += fmt.Sprintf("%-*s  ", width, cell(g))
			}
		}
		return strings.TrimRight(text, " ")
	}
	lines := []string{line(heading)}
	for i, e := range r.events {
		lines = append(lines, line(func(g int) string {
			if g == e.Goroutine {
				return cells[i]
			}
			return ""
		}))
	}
	return strings.Join(collapsed(lines), "\n") + "\n"
}

// collapsed returns the lines, with a few that repeat again and again, as in a livelock, only
// once.
func collapsed(lines []string) (short []string) {
	const most, often = 8, 4
next:
	for len(lines) > 0 {
		for n := 1; n <= min(most, len(lines)); n++ {
			times := 1
			for (times+1)*n <= len(lines) && slices.Equal(lines[:n], lines[times*n:(times+1)*n]) {
				times++
			}
			if times >= often {
				short = append(append(short, lines[:n]...), fmt.Sprintf("... and again, %d times", times-1))
				lines = lines[times*n:]
				continue next
			}
		}
		short, lines = append(short, lines[0]), lines[1:]
	}
	return short
}

func heading(goroutine int) string { return fmt.Sprint("goroutine ", goroutine) }
