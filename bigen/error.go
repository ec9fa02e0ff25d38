package bigen

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

var (
	// ErrNotProduced is the cause of an [*Error]: no choices make the value.
	ErrNotProduced = errors.New("not produced by the generator")

	// ErrGaveUp is the cause of an [*Error]: it takes too much work to tell whether
	// choices make the value.
	ErrGaveUp = errors.New("given up reading the value backward")

	// ErrRejected says that a [SuchThat] found no value that passes its test.
	ErrRejected = errors.New("no value passed the filter")
)

// An Error says where and why a generator does not make a value. If several
// alternatives fail, it describes the one that fits best: the one that fails deepest
// in the value and, of those, one with the right shape and a wrong leaf rather than
// one of another shape.
type Error struct {
	Path   string // tags, fields and indices that lead to the fault, as in /node/R/node/X; "/" is the value itself
	Reason string
	gaveUp bool
}

// Error returns the cause, the path and the reason in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%v: at %s: %s", e.Unwrap(), e.Path, e.Reason)
}

// Unwrap returns [ErrNotProduced] or [ErrGaveUp].
func (e *Error) Unwrap() error {
	if e.gaveUp {
		return ErrGaveUp
	}
	return ErrNotProduced
}

// explanation collects the reason why a backward run fails. The run is repeated
// with one if it failed without.
type explanation struct {
	path []string
	best fault
}

// fault is a reason with its rank.
type fault struct {
	Error
	found bool
	depth int
	rank  rank
	ties  int // how many others tell as much
}

// rank orders the faults of the alternatives for one value: the last tells most.
type rank int

const (
	byType  rank = iota // the value is of another type
	byNil               // it is nil, or is not
	byValue             // it has the right shape, but is another value
	bySize              // it is too large for this place
)

func (x *explanation) err() error {
	if !x.best.found {
		x.best.Error = Error{Path: "/", Reason: "the two directions of the generator disagree"}
	}
	return &x.best.Error
}

// save and restore discard the faults found in between: those of alternatives that
// were tried before one that made the value.
func (x *explanation) save() fault {
	if x == nil {
		return fault{}
	}
	return x.best
}

func (x *explanation) restore(f fault) {
	if x != nil {
		x.best = f
	}
}

// fail returns false. With an explanation, it also records the reason, unless a more
// specific one has been recorded. If the arguments are costly, the caller checks first
// that there is an explanation: alternatives fail all the time.
func (c *C) fail(r rank, format string, args ...any) bool {
	x := c.explain
	if x == nil {
		return false
	}
	return c.failAgain(fault{Error{Path: pathText(x.path), Reason: fmt.Sprintf(format, args...)}, true, len(x.path), r, 0})
}

// failAgain returns false, and records f unless a more specific fault has been.
func (c *C) failAgain(f fault) bool {
	x := c.explain
	if x == nil || !f.found {
		return false
	}
	switch b := x.best; {
	case !b.found:
	case (b.rank == bySize) != (f.rank == bySize):
		if b.rank == bySize {
			return false
		}
	case b.depth == f.depth && b.rank == f.rank:
		x.best.ties++
		return false
	case b.depth > f.depth, b.depth == f.depth && b.rank > f.rank:
		return false
	}
	x.best = f
	return false
}

// failTooLarge explains that the value is cut short here, forward.
func (c *C) failTooLarge() bool {
	return c.fail(bySize, "the value has more than %d choices up to here, or is nested deeper than %d", maxChoices, maxDepth)
}

// failAll explains that no alternative makes the value, where several fail at once
// and for reasons as good. The fault recorded before them was best.
func (c *C) failAll(best fault, tags []choices.Alt) bool {
	x := c.explain
	if x == nil || x.best.ties == 0 || x.best.depth != len(x.path)+1 {
		return false
	}
	reason := x.best.Reason
	var list strings.Builder
	for i, a := range tags {
		if i == 8 {
			fmt.Fprintf(&list, " or %d others", len(tags)-i)
			break
		}
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(a.Tag)
	}
	x.best = best
	return c.fail(byValue, "none of the alternatives %s makes it: %s", &list, reason)
}

func pathText(path []string) string {
	const most, ends = 40, 10
	if n := len(path); n > most {
		gap := fmt.Sprintf("(%d more)", n-2*ends)
		path = append(append(slices.Clone(path[:ends]), gap), path[n-ends:]...)
	}
	return "/" + strings.Join(path, "/")
}

func (c *C) push(step string) {
	if c.explain != nil {
		c.explain.path = append(c.explain.path, step)
	}
}

func (c *C) pop() {
	if c.explain != nil {
		c.explain.path = c.explain.path[:len(c.explain.path)-1]
	}
}
