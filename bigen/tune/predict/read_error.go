package predict

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

// ErrContext is the error of [Read] for a generator that is not context-free: what follows a
// choice, or how likely it is, depends on more than Read can tell apart. The text shows two places
// where the same choice differs. The generator can still be tuned, but its counts cannot be
// computed.
var ErrContext = errors.New("predict: the generator is not context-free")

var (
	errTooLarge = errors.New("predict: the generator has too many kinds of choices to read: use " +
		"a smaller depth, bounds of slices below 256, scopes that do not grow, and different " +
		"tags for picks that differ in what they lead to, as in different scopes")
	errEndless = errors.New("predict: a value does not end: the first alternative of a Pick " +
		"must not recurse")
)

// context returns ErrContext with a reason and the places of nodes.
func (l *log) context(reason string, nodes ...int32) error {
	text := ""
	for _, i := range nodes {
		text += "\n\t" + l.place(i)
	}
	return fmt.Errorf("%w: %s%s", ErrContext, reason, text)
}

// clash returns the error of a clash that no spec explains.
func (l *log) clash(c clash) error {
	if c.weights {
		return l.context("the weights of a pick depend on choices elsewhere", c.a, c.b)
	}
	return l.context("what follows a choice depends on choices elsewhere", c.a, c.b)
}

// filtered returns the error of a run in which a filter discarded a value in the branch of
// node i.
func (l *log) filtered(i int32) error {
	return l.context("a filter threw away a value (SuchThat, Distinct, the keys of a map), or "+
		"rejected the run", i)
}

// place describes where node i is and what follows it.
func (l *log) place(i int32) string {
	n, follows := &l.nodes[i], strings.Join(l.follows(i), ", ")
	if follows == "" {
		follows = "no pick"
	}
	at := ""
	if n.parent >= 0 {
		at = fmt.Sprintf("pick of %s with weights %v: %q is followed by ", l.menus[n.menu].name(),
			l.weights[n.weights], l.tag(i))
	}
	return fmt.Sprintf("at %s: %s%s", l.path(i), at, follows)
}

// path names the place of a node by the enclosing tags.
func (l *log) path(i int32) string {
	var tags []string
	for i = l.nodes[i].parent; i > 0 && l.nodes[i].parent >= 0; i = l.nodes[i].parent {
		tags = append(tags, l.tag(i))
	}
	slices.Reverse(tags)
	if n := len(tags); n > 12 {
		tags = append(append(slices.Clone(tags[:6]), "..."), tags[n-5:]...)
	}
	return "/" + strings.Join(tags, "/")
}

// follows lists what follows a pick: the alternatives of the picks of its branch, and of
// the next question of its sequence.
func (l *log) follows(i int32) []string {
	var list []string
	for k := l.nodes[i].kid; k >= 0; k = l.nodes[k].sibling {
		list = append(list, l.menus[l.nodes[k].menu].name())
	}
	if k := l.nodes[i].next; k >= 0 {
		list = append(list, "then "+l.menus[l.nodes[k].menu].name())
	}
	return list
}

// name lists the tags.
func (m *menu) name() string {
	const most = 6
	tags := m.tags
	if len(tags) > most {
		tags = append(slices.Clone(tags[:most-1]), "...")
	}
	return strings.Join(tags, "|")
}
