package bigen

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

var (
	// ErrNotProduced is the cause of an [*Error]: no choices make the value.
	ErrNotProduced = errors.New("not produced by the generator")

	// ErrRejected says that a [SuchThat] found no value that passes its test.
	ErrRejected = errors.New("no value passed the filter")
)

// An Error tells why a generator does not make a value. Of several alternatives
// that all fail, it tells of the one that fits best: the one that fails deepest
// in the value, and among those one that has the right shape but a wrong leaf
// before one of another shape.
type Error struct {
	Path   string // tags, fields and indices that lead to the fault, as in /node/R/node/X; "/" is the value itself
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%v: at %s: %s", ErrNotProduced, e.Path, e.Reason)
}

// Unwrap returns [ErrNotProduced].
func (e *Error) Unwrap() error { return ErrNotProduced }

// explanation collects the reason why a backward run fails. The run is repeated
// with one if it failed without.
type explanation struct {
	path []string
	best fault
}

// fault is a reason with its rank.
type fault struct {
	found bool
	error Error
	depth int
	shape bool // a mismatch of shape
}

func (x *explanation) err() error {
	if !x.best.found {
		x.best.error = Error{"/", "the two directions of a generator disagree"}
	}
	return &x.best.error
}

// save and restore forget the faults found in between: those of alternatives that
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

// fail returns false. With an explanation it also records why.
func (c *C) fail(shape bool, format string, args ...any) bool {
	x := c.explain
	if x == nil {
		return false
	}
	deeper := len(x.path) > x.best.depth || len(x.path) == x.best.depth && x.best.shape && !shape
	if !x.best.found || deeper {
		x.best = fault{true, Error{pathText(x.path), fmt.Sprintf(format, args...)}, len(x.path), shape}
	}
	return false
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
