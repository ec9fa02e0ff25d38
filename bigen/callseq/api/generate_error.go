package api

import (
	"errors"
	"reflect"
	"regexp"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// found is an error of one class.
type found struct {
	Test            // without code
	contract string // if one is violated
	odd      bool   // a number is odd in each sequence that has failed so far
	*sequence
}

// note takes note of an error of the sequence that has run.
func (g *generator) note(s *sequence, e ending) {
	op := g.ops[g.byName[nameOf(s.calls[e.at])]].name
	class := g.classOf(op, e)
	i := slices.IndexFunc(g.errors, func(f *found) bool { return f.Class == class })
	if i < 0 {
		f := &found{Test: Test{Class: class, Op: op, Message: e.message, Place: e.place}}
		if e.violated != nil {
			f.contract = e.violated.contract
		}
		i = len(g.errors)
		g.errors = append(g.errors, f)
		g.failing = true
		g.tell(g.opts.Kept) // for a process that takes over
		g.failing = false
	}
	f := g.errors[i]
	odd := g.oddFor(f)
	if f.Found++; f.sequence == nil || f.odd && !odd || f.odd == odd && e.at+1 < len(f.calls) {
		if e.at+1 < len(s.calls) {
			s = g.first(s, e.at+1)
		}
		f.sequence, f.odd = s.own(), odd
	}
}

// maxMinimizing bounds the runs that minimize one sequence.
const maxMinimizing = 2000

// minimize makes the sequence of an error as simple as can be, without odd numbers if it fails
// then, too.
func (g *generator) minimize(f *found) {
	mutate.Minimize(f.tree, g.remake, func(s *sequence) bool {
		fails := !g.over(g.closing()) && g.fails(f, s) && (f.odd || !g.oddFor(f))
		if fails {
			f.sequence = s
		}
		return fails
	}, maxMinimizing)
	f.sequence = g.tidied(f.sequence)
}

// remake makes the sequence of a tree that [mutate.Minimize] tries.
func (g *generator) remake(t choices.Tree) (*sequence, choices.Tree, error) {
	s := g.make(choices.Replay(t, nil))
	if s == nil {
		return nil, nil, errNone
	}
	s = s.own()
	return s, s.tree, nil
}

var errNone = errors.New("the choices make no sequence")

// classOf returns the class of an error of the sequence that has run.
func (g *generator) classOf(op string, e ending) string {
	if v := e.violated; v != nil {
		pool := g.cells[v.slots[0]].about().pool
		kind := pool.names.Kind
		if pool.typ.Kind() == reflect.Interface { // each of its types has errors of its own
			kind = strings.Join(g.typesOf(v.slots), ", ")
		}
		wrong := normalized(v.wrong)
		if v.code == nil {
			wrong = "it does not hold"
		}
		return "contract " + v.contract + " of " + kind + ": " + wrong
	}
	return op + ": " + normalized(e.message)
}

var (
	quotedText = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	number     = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+(\.[0-9]+)?`)
)

// normalized returns the first line of a message without what differs from case to case.
func normalized(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return gocode.Shorten(number.ReplaceAllString(quotedText.ReplaceAllString(line, `""`), "#"))
}

// fails reports whether a sequence fails as f does.
func (g *generator) fails(f *found, s *sequence) bool {
	if s.hasAny(g.opts.Without, 0) && !f.hasAny(g.opts.Without, 0) {
		return false // it may end the process
	}
	e := g.runWith(s, f.contract)
	return e.class == Error && e.at == len(s.calls)-1 && g.classOf(s.last(), e) == f.Class
}
