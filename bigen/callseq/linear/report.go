package linear

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"golang.org/x/exp/slices"
)

// confirmations is how many more runs a report tells of.
const confirmations = 20

// report fails t with what is known of a run that fails.
func (x *trial) report(t testing.TB, a *attempt) {
	t.Helper()
	_, _ = io.WriteString(t.Output(), x.text(t, a))
	fail[a.verdict](t)
}

// text says what is known of a run that fails.
func (x *trial) text(t testing.TB, a *attempt) string {
	a.told = true
	if plain := x.plain(t, a); plain != "" {
		return plain
	}
	var b strings.Builder
	if a.verdict == unexplained {
		b.WriteString("no order of the calls explains what they have returned\n" + x.why(a))
	}
	threads := a.ready && len(x.groups) > 0
	if a.live != nil && !threads && a.verdict != hangs {
		a.live.Report()
	}
	for _, text := range []string{a.tb.log.String(), a.crash, a.stacks} {
		if text = strings.TrimSuffix(text, "\n"); text != "" {
			b.WriteString(text + "\n")
		}
	}
	if threads {
		b.WriteString(x.share(t, a))
	}
	if threads || a.verdict == hangs {
		b.WriteString(x.timed(a))
	}
	return b.String()
}

// timed returns when the calls began and returned, and the calls as Go statements.
func (x *trial) timed(a *attempt) (text string) {
	if a.ready && len(x.groups) > 0 {
		text = "time, from left to right:\n" + indent(x.timeline(a.known))
	}
	if a.live != nil {
		text += gocode.Report(x.code(a))
	}
	return text
}

// why says which call no order explains.
func (x *trial) why(a *attempt) string {
	call, explained := x.firstUnexplained(a.known)
	if call < 0 {
		return ""
	}
	calls, want := x.order(explained, call)
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = letter(c - x.prefix)
	}
	got, wanted := a.live.Returned(call, want)
	return fmt.Sprintf("%s returns %s, which no order explains: in the order %s, which explains "+
		"all results before, %s\n",
		letter(call-x.prefix), got, strings.Join(names, ", "), wanted)
}

// plain returns the report of a run in which no calls run at once, so that the statements can
// compare results; or "" if there are such calls, or if it passes now.
func (x *trial) plain(t testing.TB, a *attempt) string {
	if len(x.groups) == 0 || x.m.serial != nil || a.verdict == hangs ||
		slices.ContainsFunc(x.groups, func(calls []int) bool { return len(calls) > 1 }) {
		return ""
	}
	y := &trial{m: x.m, first: x.first, calls: x.calls, prefix: len(x.calls)}
	run := newBatch(y, t, 0, 1)
	b := run.attempts[0]
	if run.stuck != nil {
		return ""
	}
	if b.conclude(); !b.verdict.fails() {
		return ""
	}
	return y.text(t, b)
}

// Failures of different kinds are at different places, so that shrinking keeps to one.
var fail = map[verdict]func(t testing.TB){
	unexplained: func(t testing.TB) { t.Helper(); t.Fail() },
	failed:      func(t testing.TB) { t.Helper(); t.Fail() },
	hangs:       func(t testing.TB) { t.Helper(); t.Fail() },
}

// share runs the sequence again, and says how often it fails.
func (x *trial) share(t testing.TB, a *attempt) string {
	if a.verdict == hangs || x.turns {
		return ""
	}
	fails := 0
	x.attempt(t, 1e6, confirmations, func(b *attempt) bool {
		if b.verdict.fails() {
			fails++
		}
		return true
	})
	return fmt.Sprintf("of %d more runs of these calls, %d fail\n", confirmations, fails)
}

// timeline draws when the calls after the prefix began and returned.
func (x *trial) timeline(h history) string {
	edges := x.edges(h)
	var names, lines []string
	width := len("thread 1 ")
	for n := 0; n <= x.m.threads; n++ {
		line := x.threadLine(n, edges)
		if line == "" {
			continue
		}
		name := x.threadName(n, h, edges)
		width = max(width, len(name)+1)
		names, lines = append(names, name), append(lines, line)
	}
	for i, name := range names {
		lines[i] = fmt.Sprintf("%-*s %s", width, name, lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

// An edge is the beginning of a call, or its return.
type edge struct {
	call    int
	returns bool
	time    int64
}

// edges returns the edges of the calls after the prefix, in the order of time.
func (x *trial) edges(h history) (edges []edge) {
	for i := x.prefix; i < len(h); i++ {
		if h[i].hasBegun {
			edges = append(edges, edge{i, false, h[i].began})
		}
		if h[i].ended {
			edges = append(edges, edge{i, true, h[i].returned})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.time, b.time) })
	return edges
}

// threadLine draws the calls of a thread. It returns "" if none has begun.
func (x *trial) threadLine(n int, edges []edge) string {
	line, open, any := "", false, false
	for _, e := range edges {
		mine := x.calls[e.call].thread == n
		switch {
		case mine && !e.returns:
			line, open, any = line+"["+letter(e.call-x.prefix), true, true
		case mine:
			line, open = line+"-]", false
		case open:
			line += "--"
		default:
			line += "  "
		}
	}
	if !any {
		return ""
	}
	if open {
		line += "..."
	}
	return strings.TrimRight(line, " ")
}

// threadName returns the name of a thread, with the goroutines of a schedule that run its calls.
func (x *trial) threadName(n int, h history, edges []edge) string {
	name := fmt.Sprintf("thread %d", n)
	if n == 0 {
		name = "alone"
	}
	var in []string
	for _, e := range edges {
		g := h[e.call].goroutine
		if x.calls[e.call].thread == n && g > 0 && !slices.Contains(in, fmt.Sprint(g)) {
			in = append(in, fmt.Sprint(g))
		}
	}
	if len(in) > 0 {
		name += " (goroutine " + strings.Join(in, ", then ") + ")"
	}
	return name
}

// letter names a call in the report.
func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letter(i/26-1) + letter(i%26)
}

// code returns the calls as Go statements: one after the other, but for groups of calls that run at
// once.
func (x *trial) code(a *attempt) string {
	setup, calls := a.live.Code()
	w := &writer{trial: x, attempt: a, calls: calls}
	w.write("", setup.Statement, setup.Idle)
	for i := range x.prefix {
		w.call("", i)
	}
	for _, group := range x.groups {
		if group[0] < len(calls) {
			w.group(group)
		}
	}
	for i := x.drawn(); i < len(calls); i++ {
		w.call("", i)
	}
	return w.String()
}

// A writer writes the calls of an attempt.
type writer struct {
	strings.Builder
	trial   *trial
	attempt *attempt
	calls   []live.Code

	declared bool // the code has declared threads
}

// group writes calls that run at once, each in its goroutine, or one that runs alone.
func (w *writer) group(group []int) {
	if len(group) == 1 {
		w.call("", group[0])
		return
	}
	if !w.declared {
		w.WriteString("var threads sync.WaitGroup\n")
		w.declared = true
	}
	for n := 1; n <= w.trial.m.threads; n++ {
		w.thread(n, group)
	}
	w.WriteString("threads.Wait()\n")
}

// thread writes the goroutine of a thread, if some of the calls run in it.
func (w *writer) thread(n int, group []int) {
	begun := false
	for _, i := range group {
		if w.trial.calls[i].thread != n {
			continue
		}
		if !begun {
			w.WriteString("threads.Go(func() {\n")
			begun = true
		}
		w.call("\t", i)
	}
	if begun {
		w.WriteString("})\n")
	}
}

// call writes a call, with its letter, its results, or why it has none. It writes nothing if the
// call has not been made.
func (w *writer) call(tabs string, i int) {
	if i >= len(w.calls) {
		return
	}
	c := w.calls[i]
	text := c.Statement
	if notes := w.notes(i); len(notes) > 0 {
		text += " // " + strings.Join(notes, ": ")
	}
	w.write(tabs, text, c.Idle)
}

func (w *writer) notes(i int) (notes []string) {
	x := w.trial
	if i >= x.prefix {
		notes = append(notes, letter(i-x.prefix))
	}
	switch e := w.attempt.known[i]; {
	case w.calls[i].Results != "":
		notes = append(notes, w.calls[i].Results)
	case i >= x.prefix && !e.hasBegun:
		notes = append(notes, "has not begun")
	case !e.ended && (i >= x.prefix || w.attempt.verdict == hangs):
		notes = append(notes, "has not returned")
	}
	return notes
}

// write writes a statement, and then a use of each variable that the other statements do not use.
func (w *writer) write(tabs, text string, idle []string) {
	if text != "" {
		w.WriteString(tabs + strings.ReplaceAll(text, "\n", "\n"+tabs) + "\n")
	}
	for _, name := range idle {
		w.WriteString(tabs + "_ = " + name + "\n")
	}
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ") + "\n"
}
