package predict

import (
	"fmt"
	"strings"
)

// A ContextError says that a generator is not context-free: what follows on a choice, or how
// likely it is, depends on more than [Read] can tell apart. The generator can still be tuned, but
// its counts cannot be computed.
type ContextError struct {
	Reason string // in a sentence

	// A and B describe two places where the same choice differs. B is empty if the reason is not
	// a difference.
	A, B string
}

// Error returns the reason and both places.
func (e *ContextError) Error() string {
	text := "predict: the generator is not context-free: " + e.Reason
	for _, place := range []string{e.A, e.B} {
		if place != "" {
			text += "\n\t" + place
		}
	}
	return text
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

// surrounding describes where node i is and what follows on it.
func (l *log) surrounding(i int32) string {
	n, follows := &l.nodes[i], strings.Join(l.follows(i), ", ")
	if follows == "" {
		follows = "no pick"
	}
	if n.parent < 0 {
		return fmt.Sprintf("at %s: %s", l.path(i), follows)
	}
	return fmt.Sprintf("at %s: pick of %s with weights %v: %q is followed by %s", l.path(i), l.menus[n.menu].name(), l.weights[n.weights], l.tag(i), follows)
}
