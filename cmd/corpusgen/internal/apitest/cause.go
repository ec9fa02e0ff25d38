package apitest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/internal/job"
)

// reasons say why a message that begins so is believed to tell of an error, the most certain
// first.
var reasons = [][2]string{
	{"the sequence takes ", "The calls take all memory."},
	{"the process ", "The calls end the process."},
	{"fatal error: ", "The calls end the process."},
	{"contract ", "What must hold for all values does not."},
	{"it returns a nil ", "Callers take the error for one, as it is not nil."},
	{"panic: runtime error: ", "It is a run-time error, and no argument is nil or out of range."},
	{"the sequence ", "The calls never end, and no name or comment announces that they wait."},
	{"panic: ", "No comment announces the panic."},
	{"", "A check of the harness fails."},
}

// rank is the index of the reason of an error.
func rank(e job.Test) int {
	return slices.IndexFunc(reasons, func(r [2]string) bool {
		return strings.HasPrefix(e.Message, r[0])
	})
}

// ranked returns errors with names and reasons. Those come first that are most certain, and of
// these the shortest. What has one cause comes below the first of it.
func ranked(errs []job.Test) (all []job.Test) {
	errs = slices.Clone(errs)
	slices.SortStableFunc(errs, func(a, b job.Test) int {
		return cmp.Or(rank(a)-rank(b), strings.Count(a.Code, "\n")-strings.Count(b.Code, "\n"))
	})
	for len(errs) > 0 {
		first, like, others := errs[0], "", errs[:0]
		for i, e := range errs {
			if i > 0 && !sameCause(e, first) {
				others = append(others, e)
				continue
			}
			e.Test, e.Why, e.Like = fmt.Sprintf("TestError%d", len(all)+1), reasons[rank(e)][1], like
			all = append(all, e)
			like = cmp.Or(like, e.Test)
		}
		errs = others
	}
	return all
}

// sameCause reports whether two errors seem to have one cause: they fail alike in one place, or by
// one contract, or have no end after the same calls, or one has all calls of the other.
func sameCause(a, b job.Test) bool {
	if len(a.Steps) < len(b.Steps) {
		a, b = b, a
	}
	alike, n := wayOf(a.Message) == wayOf(b.Message), len(b.Steps)
	switch {
	case alike && a.Place != "" && a.Place == b.Place:
		return true
	case rank(a) == rank(b) && strings.HasPrefix(a.Message, "contract ") && a.Op == b.Op &&
		unnamed(wayOf(a.Message)) == unnamed(wayOf(b.Message)):
		return true
	case n == 0 || n == 1 && len(a.Steps) > 1: // it makes a value
		return false
	case n > 2 && endless(a) && endless(b) && includes(a.Steps[:len(a.Steps)-1], b.Steps[:n-1]):
		return true
	}
	return includes(a.Steps, b.Steps)
}

// endless reports whether an error is that calls hang, or fill the stack or the memory.
func endless(e job.Test) bool {
	return strings.HasPrefix(e.Message, "the sequence ") || e.Message == stackOverflow
}

// includes reports whether calls include some others, in order, whatever names their results have.
func includes(all, some []string) bool {
	for _, step := range all {
		if len(some) > 0 && unnamed(some[0]) == unnamed(step) {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// resultName is what could be the name of a result.
var resultName = regexp.MustCompile(`\b[A-Za-z_]\w*\d\b`)

// unnamed returns a call without the names of results.
func unnamed(step string) string {
	if left, right, named := strings.Cut(step, " := "); named && !strings.ContainsAny(left, "(\"`") {
		step = right
	}
	return resultName.ReplaceAllString(step, "#")
}
