package predict

import (
	"fmt"
	"strings"
)

// A ContextError says that a generator is not context-free: what follows on a choice, or how
// likely it is, depends on more than [Read] can tell apart. It is no reason not to tune the
// generator, but its counts cannot be computed.
type ContextError struct {
	Reason string // in a sentence

	// A and B are two places where the same choice differs. B is empty if the reason is not
	// a difference.
	A, B Surrounding
}

// A Surrounding is one place where a choice was made.
type Surrounding struct {
	Path    string    // the tags around, from the root
	Pick    string    // the tags of the choice's alternatives
	Tag     string    // the tag that was taken
	Weights []float64 // of the alternatives
	Follows []string  // the picks that its branch asked, and "then" the next of its sequence
}

// Error returns the reason and both surroundings.
func (e *ContextError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "predict: the generator is not context-free: %s", e.Reason)
	for _, s := range []Surrounding{e.A, e.B} {
		if s.Path != "" {
			fmt.Fprintf(&b, "\n\t%s", s)
		}
	}
	return b.String()
}

// String describes the surrounding on one line.
func (s Surrounding) String() string {
	follows := strings.Join(s.Follows, ", ")
	if follows == "" {
		follows = "no pick"
	}
	if s.Pick == "" {
		return fmt.Sprintf("at %s: %s", s.Path, follows)
	}
	return fmt.Sprintf("at %s: pick of %s with weights %v: %q is followed by %s", s.Path, s.Pick, s.Weights, s.Tag, follows)
}

// context returns the error of a clash that no spec explains.
func (l *log) context(c clash) error {
	reason := "what follows on a choice depends on choices elsewhere"
	if c.weights {
		reason = "the weights of a pick depend on choices elsewhere"
	}
	return &ContextError{reason, l.surrounding(c.a), l.surrounding(c.b)}
}

// filtered returns the error of a run in which a filter threw away a value in the branch of
// node i.
func (l *log) filtered(i int32) error {
	return &ContextError{Reason: "a filter threw away a value (SuchThat, Distinct, the keys of a map), or rejected the run", A: l.surrounding(i)}
}

// recordedOtherwise returns the error of a run whose tree does not record the pick of node i.
func (l *log) recordedOtherwise(i int32) error {
	return &ContextError{Reason: "a choice is recorded otherwise than it was made (Favor, the order of a map)", A: l.surrounding(i)}
}

func (l *log) surrounding(i int32) Surrounding {
	n := &l.nodes[i]
	s := Surrounding{Path: l.path(i), Follows: l.follows(i)}
	if n.parent >= 0 {
		s.Pick, s.Tag, s.Weights = l.menus[n.menu].name(), l.tag(i), l.weights[n.weights]
	}
	return s
}
