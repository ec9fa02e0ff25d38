package fuzzext

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen"
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
func (x *execution[V]) hung(s *trial, source func(i int) choices.Source) {
	t := s.now.Load()
	after := time.Since(s.start).Round(time.Second / 10)
	if t == nil || !t.abandoned {
		fmt.Fprintf(s.tb.Output(), "the generator, or all runs together, have not ended after %v\n%s\n", after, stuckAt())
		s.tb.Fail()
		return
	}
	f := failure{stuck: true, what: "value on which it does not return"}
	log, _ := t.logged()
	f.labels = t.labels()
	f.log = log + fmt.Sprintf("the property has not returned after %v\n\n%s", after, stuckAt())
	_, tree, err := bigen.Run(x.gen, source(t.index))
	if err != nil {
		f.notes = fmt.Sprintf("the value is not made again: %v: the generator is not deterministic\n", err)
	}
	f.tree = tree
	f.what += fmt.Sprintf(", not minimised (%s)", count(len(tree), "choice"))
	x.report(s, f)
}

// stuckAt returns the stacks of the goroutines that run properties.
func stuckAt() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var stuck []string
	for _, g := range strings.Split(string(buf), "\n\n") {
		lines := strings.Split(g, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, thisPackage+"(*loop[...]).next(") {
				stuck = append(stuck, strings.Join(lines[:i], "\n")+"\n")
				break
			}
		}
	}
	return strings.Join(stuck, "\n")
}
