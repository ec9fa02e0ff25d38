package grammar

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names are names that are taken, each with the last number that has been appended to it.
type names map[string]int

// unique returns a name that is not taken, and takes it: name, or name with a number.
func (n *names) unique(name string) string {
	if *n == nil {
		*n = names{}
	}
	base := name
	for last, taken := (*n)[name]; taken; _, taken = (*n)[name] {
		last = max(last+1, 2)
		(*n)[base] = last
		name = fmt.Sprint(base, last)
	}
	(*n)[name] = 0
	return name
}

func startsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// camel returns a name as Go writes exported ones: addOp and ADD_OP are AddOp.
func camel(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if part == strings.ToUpper(part) {
			part = strings.ToLower(part)
		}
		r, n := utf8.DecodeRuneInString(part)
		b.WriteRune(unicode.ToUpper(r))
		b.WriteString(part[n:])
	}
	if r, _ := utf8.DecodeRuneInString(b.String()); !unicode.IsUpper(r) {
		return "X" + b.String()
	}
	return b.String()
}

// hint suggests a name for part of a type: of its first literal or rule, and of a literal after it.
func (s *shape) hint(owner *goType, e *Expr) (name string) {
	kids := []*Expr{e}
	if e.Op == Seq {
		kids = e.Kids
	}
	for i, kid := range kids {
		switch {
		case kid.Op == Lit:
			name = literalName(kid.Text)
		case kid.Op == Word:
			name = "op"
			if startsWord(kid.Kids[0].Text) {
				name = "word"
			}
		case kid.Op == Ref && (s.byRule[kid.Text] != owner || len(kids) == 1):
			name = kid.Text
		case kid.Op != Ref && len(kid.Kids) > 0:
			name = s.hint(owner, kid.Kids[0])
		}
		if name == "" {
			continue
		}
		if i+1 < len(kids) && kids[i+1].Op == Lit &&
			(kid.Op == Ref || kid.Op == Lit && startsWord(kid.Text) && startsWord(kids[i+1].Text)) {
			name += "_" + literalName(kids[i+1].Text)
		}
		return name
	}
	return "part"
}

// literalName returns a name for a literal, empty if there is none.
func literalName(text string) string {
	if startsWord(text) {
		return text
	}
	names := strings.Fields("! not \" quote # hash $ dollar % percent & and ' quote ( paren * " +
		"star + plus , comma - minus . dot / slash : colon ; semicolon < less = equal > greater " +
		"? question @ at [ bracket \\ backslash ^ caret _ underscore ` backquote { brace | or ~ tilde")
	var b strings.Builder
	for _, r := range text {
		if i := slices.Index(names, string(r)); i >= 0 {
			b.WriteString(names[i+1] + " ")
		}
	}
	return b.String()
}
