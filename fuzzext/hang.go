package fuzzext

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/espalier-go/espalier/choices"
)

// abandon gives up a run that does not return. It reports false if the run has
// ended after all.
func (t *T) abandon() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.ended, t.abandoned = true, true
	return true
}

// hung reports the run that has been abandoned, or the generator. The goroutine
// cannot be ended; if it goes on one day, it stops there.
func (l *loop[V]) hung() {
	x, s := l.execution, l.s
	t := s.now.Load()
	after := time.Since(s.start).Round(time.Second / 10)
	if t == nil || !t.abandoned {
		fmt.Fprintf(s.tb.Output(), "the generator, or all runs together, have not ended after %v\n%s\n", after, stuckAt(l))
		s.tb.Fail()
		return
	}
	f := failure{index: t.index, stuck: true, where: "hang", what: "value on which it does not return"}
	log, _ := t.logged()
	f.labels = t.labels()
	f.log = log + fmt.Sprintf("the property has not returned after %v\n\n%s", after, stuckAt(l))
	tree, err := x.choicesOf(s, t.index, l.source)
	if err != nil {
		f.notes = fmt.Sprintf("the value is not made again: %v: the generator is not deterministic\n", err)
	}
	f.tree = tree
	f.what += fmt.Sprintf(", not minimised (%s)", count(len(tree), "choice"))
	x.report(s, f)
}

// stuck reports a run, on the value of a tree, that has been abandoned.
func (x *execution[V]) stuck(s *trial, tree choices.Tree) {
	x.report(s, failure{
		log:   fmt.Sprintf("the property has not returned after %v\n", time.Since(s.start).Round(time.Second/10)),
		what:  fmt.Sprintf("value on which it does not return, not minimised (%s)", count(len(tree), "choice")),
		tree:  tree,
		stuck: true,
		where: "hang",
	})
}

// maxStackLines is how many lines of a stack are shown.
const maxStackLines = 40

// stuckAt returns the stack of the goroutine that runs a loop, above it.
func stuckAt(loop any) string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	this, all := "", ""
	for _, g := range strings.Split(string(buf), "\n\n") {
		above, call, ok := strings.Cut(g, "\n"+thisPackage+"(*loop[...]).next(")
		if !ok {
			continue
		}
		above, _, _ = strings.Cut(above, "\n"+thisPackage+"(*execution[...]).runProp(")
		lines := strings.Split(above, "\n")
		if len(lines) > maxStackLines {
			lines = append(lines[:maxStackLines], "...")
		}
		above = strings.Join(lines, "\n") + "\n"
		all += above
		if strings.HasPrefix(call, fmt.Sprintf("%p", loop)) {
			this = above
		}
	}
	return cmp.Or(this, all) // the runtime does not always know the arguments
}
