package api

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// titles returns what a test may be called: by the last call, which may refuse its arguments, and
// by the last one of another operation before it, unless that is the first call, which makes a
// value. If other tests are called so, the last call alone names the test, or more calls before it
// do.
func titles(calls callseq.Calls, refused bool) (all []string) {
	seen := []string{callee(calls[len(calls)-1])}
	title := seen[0]
	if refused {
		title += " rejects"
	}
	all = []string{title}
	for i := len(calls) - 2; i >= 0; i-- {
		name := callee(calls[i])
		if slices.Contains(seen, name) {
			continue
		}
		seen, title = append(seen, name), name+" then "+title
		if all = append(all, title); i > 0 && len(all) == 2 && !refused {
			all[0], all[1] = all[1], all[0]
		}
	}
	return all
}

// callee returns what a call calls, with fewer or more arguments.
func callee(call callseq.Call) string {
	op, _, _ := strings.Cut(nameOf(call), " with ")
	return op
}
