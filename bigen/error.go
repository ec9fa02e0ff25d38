package bigen

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/slices"
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

// An Error says where and why a generator does not make a value. If several alternatives fail,
// it describes
//
//  1. the one that accepts most of the value: most fields that are not zero, and elements;
//  2. of those, the one that fails deepest;
//  3. of those, one with the right shape and a wrong leaf rather than one of another
//     shape.
//
// If several remain, it lists the first of them.
type Error struct {
	// Path has the tags, fields and indices that lead to the fault, as in /node/R/node/X.
	// "/" is the value itself. Below an [Iso], the path leads through what its function
	// from returns.
	Path string

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
	path *step // to where the run stands in the value
	best fault
}

// step is the last element of a path in the value. The path of the value itself is nil.
type step struct {
	*step           // the elements before
	name     string // field, index or tag
	length   int    // of the path
	depth    int    // the length without tags, which lead no deeper into the value
	accepted int    // fields and elements that have been accepted beside the path
}

// fault is a reason with its rank. The zero fault means no fault.
type fault struct {
	path   *step
	format string // of the reason, with args
	args   []any
	rank   rank
	ties   []fault // of other alternatives of the pick that fit as well, up to maxTies
	at     int     // if there are ties: the length of the path of that pick
}

// is reports whether there is a fault.
func (f *fault) is() bool { return f.format != "" }

func (f *fault) reason() string { return fmt.Sprintf(f.format, f.args...) }

const (
	maxTags    = 8 // that an error lists
	maxReasons = 3
	maxTies    = maxTags // with the fault itself, one more
)

// rank orders the faults of the alternatives for one value: the last tells most.
type rank int

const (
	byType  rank = iota // the value is of another type
	byNil               // it is nil, or is not
	byMade              // its shape is right, but what the function fills differs
	byValue             // its shape is right, but it is another value
	bySize              // it is too large for this place
)

func (x *explanation) err() error {
	if !x.best.is() {
		return &Error{Path: "/", Reason: "the two directions of the generator disagree"}
	}
	return x.best.err()
}

// save and restore discard the faults found in between: faults of alternatives that
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

// compare says which of two faults tells more.
func (f *fault) compare(g *fault) int {
	if !f.is() || !g.is() {
		return len(f.format) - len(g.format)
	}
	if (f.rank == bySize) != (g.rank == bySize) {
		return int(f.rank - g.rank)
	}
	a, b := f.path.last(), g.path.last()
	return cmp.Or(a.accepted-b.accepted, a.depth-b.depth, int(f.rank-g.rank))
}

// moved returns f, found below a path of length n, for a run that stands at another path.
func (f fault) moved(n int, to *step) fault {
	f.path = f.path.moved(n, to)
	f.at += to.len() - n
	f.ties = slices.Clone(f.ties)
	for i := range f.ties {
		f.ties[i].path = f.ties[i].path.moved(n, to)
	}
	return f
}

// err puts the reasons of alternatives that fit equally well into one.
func (f *fault) err() *Error {
	if len(f.ties) == 0 {
		return &Error{Path: "/" + f.path.text(0), Reason: f.reason()}
	}
	var tags, reasons []string
	deeper := false
	for _, g := range append([]fault{*f}, f.ties...) {
		where := g.path.text(f.at)
		tags = append(tags, where)
		reasons = append(reasons, where+": "+g.reason())
		deeper = deeper || g.path.len() > f.at+1
	}
	e := &Error{Path: "/" + f.path.upTo(f.at).text(0)}
	if deeper {
		e.Reason = "none of the alternatives makes it: " + list(reasons, maxReasons, "; ")
	} else {
		alternatives := list(tags, maxTags, ", ")
		e.Reason = "none of the alternatives " + alternatives + " makes it: " + f.reason()
	}
	return e
}

// list joins strings, but no more than most.
func list(all []string, most int, separator string) string {
	if len(all) > most {
		all = append(all[:most:most], "...")
	}
	return strings.Join(all, separator)
}

// printable returns s, quoted if it is not printable text.
func printable(s string) string {
	for _, r := range s {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

func (s *step) last() step {
	if s == nil {
		return step{}
	}
	return *s
}

func (s *step) len() int { return s.last().length }

// upTo returns the first n elements of a path.
func (s *step) upTo(n int) *step {
	for s.len() > n {
		s = s.step
	}
	return s
}

// moved returns the elements of a path after the first n, appended to another.
func (s *step) moved(n int, to *step) *step {
	if s.len() <= n {
		return to
	}
	before, after := s.step.last(), s.step.moved(n, to)
	return after.add(s.name, s.depth > before.depth, s.accepted-before.accepted)
}

func (s *step) add(name string, deeper bool, accepted int) *step {
	last := s.last()
	last.step, last.name = s, name
	last.length++
	last.accepted += accepted
	if deeper {
		last.depth++
	}
	return &last
}

// text returns the elements of a path after the first n.
func (s *step) text(n int) string {
	const most, ends = 40, 10
	var names []string
	for ; s.len() > n; s = s.step {
		names = append(names, printable(s.name))
	}
	slices.Reverse(names)
	if n := len(names); n > most {
		gap := fmt.Sprintf("(%d more)", n-2*ends)
		names = append(append(names[:ends:ends], gap), names[n-ends:]...)
	}
	return strings.Join(names, "/")
}
