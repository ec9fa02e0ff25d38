package bigentest

import (
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// A law is what a generator must keep to.
type law struct{ name, advice string }

var (
	totality = &law{"totality",
		"Every answer of a source must lead to a value, and every value may be asked for " +
			"backward: the functions given to bigen must return for all that their generators " +
			"make, and those that go backward (from of an Iso, get of a Let, the test of a " +
			"SuchThat) for every value of their type."}
	rejection = &law{"few rejections",
		"A test whose values are mostly discarded tests little. Make valid values by " +
			"construction: let later fields depend on earlier ones. Else filter parts, not the " +
			"whole, or give SuchThat a fallback."}
	boundedness = &law{"boundedness",
		"Make the first alternative of every Pick one that does not recurse, and let New, " +
			"Struct and Lazy recurse only below a Pick: they are all that remains where a value " +
			"has become too large, and what a replay takes for choices that are not recorded."}
	determinism = &law{"determinism",
		"The functions given to bigen must depend on what their generators give them and on " +
			"nothing else: no randomness, clock, map order or variables that change, and no " +
			"changes to what they are given. Generate what should be random. Only then can the " +
			"other laws be checked."}
	purity = &law{"no changes",
		"The functions given to bigen must leave what they are given as it is: backward, it is " +
			"a part of the value given. To sort a slice, say, generate it by an Iso that sorts a copy."}
	roundTrip = &law{"round trip",
		"The two directions disagree. From of an Iso must undo to, get of a Let must recover " +
			"what the function was given, an assigned field must be computed from fields filled " +
			"before, and a field must be filled once."}
	exactness = &law{"exactness",
		"Backward, the generator accepts more than it makes forward. Look at what the function " +
			"computes, at from of an Iso and at methods Equal: they must tell this value from " +
			"those that are made."}
	canonicity = &law{"canonicity",
		"The choices of a value must be a function of the value, and the value a function of " +
			"its choices: from of an Iso and get of a Let must give the same for equal values."}
	replay = &law{"replay",
		"The same choices must give the same value: the functions given to bigen must ask for " +
			"the same parts in the same order whenever they are given the same."}
	mutation = &law{"mutation",
		"Only values that random choices seldom make break it. It is probably the round trip " +
			"that is broken: from of an Iso must undo to, get of a Let must recover what the " +
			"function was given, an assigned field must be computed from fields filled before."}
	soundness = &law{"soundness",
		"The generator makes a value that is not valid: correct the generator, or the test of validity."}
	completeness = &law{"completeness",
		"The generator cannot make a valid value: no test that uses it will see such values. " +
			"Correct the generator, or the test of validity."}
	vacuity = &law{"some valid values",
		"So few values say hardly anything about completeness. Make the wide generator make " +
			"fewer invalid values, or more values (Runs)."}
)

// A finding tells how a law is broken.
type finding struct {
	law          *law
	what, detail string
	text         string // literal of the value, unformatted, if there is one
	other        string // the same for what should equal it
	tree         choices.Tree
	soFar        bool // tree is of a run that did not come to its end
	bytes        []byte
}

// String returns a report of several lines.
func (f finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.law.name, f.what)
	if f.detail != "" {
		fmt.Fprintf(&b, ":\n%s", indent(f.detail))
	}
	if f.text != "" {
		fmt.Fprintf(&b, "\nthe smallest value found:\n%s", indent(literal.Format(f.text)))
	}
	if f.other != "" {
		label := "turns into"
		if f.law == determinism {
			label = "and the second time"
		}
		fmt.Fprintf(&b, "\n%s:\n%s", label, indent(literal.Format(f.other)))
	}
	switch {
	case f.tree != nil && f.soFar:
		fmt.Fprintf(&b, "\nthe choices so far:\n%s", indent(cut(f.tree.String(), 300)))
	case f.tree != nil:
		fmt.Fprintf(&b, "\nits choices:\n%s", indent(f.tree.String()))
	}
	if f.bytes != nil {
		fmt.Fprintf(&b, "\nits bytes:\n%s", indent(fmt.Sprintf("% x", f.bytes)))
	}
	if f.law.advice != "" {
		fmt.Fprintf(&b, "\nwhat to do:\n%s", indent(wrap(f.law.advice, 76)))
	}
	return b.String()
}

// indent indents s, cut to a length that can be read.
func indent(s string) string { return "    " + strings.ReplaceAll(cut(s, 2000), "\n", "\n    ") }

// cut returns the first n bytes of s.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + fmt.Sprintf(" ... (%d bytes more)", len(s)-n)
}

// wrap breaks s into lines.
func wrap(s string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(s) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
