package syntax

import "strconv"

// offset returns where in the text a position is.
func (r *reading) offset(pos int) int {
	switch {
	case r.lex == nil:
		return pos
	case pos < len(r.tokens):
		return r.tokens[pos].start
	}
	return len(r.text)
}

// The kinds of tokens that have no kind.
const (
	noKind = -1 - iota
	endKind
	noLexer
)

// kindAt returns the kind of the token at a position.
func (r *reading) kindAt(pos int) int {
	switch {
	case r.lex == nil:
		return noLexer
	case pos < len(r.tokens):
		return r.tokens[pos].kind
	}
	return endKind
}

// readToken reads a token of some kinds, or, if those are nil, one whose kind has a text.
func (r *reading) readToken(name string, kinds []bool) string {
	if r.failed {
		return ""
	}
	if kind := r.kindAt(r.pos); kind >= 0 {
		k := &r.lex.kinds[kind]
		if kinds == nil && k.Text == name || kinds != nil && kinds[kind] {
			t := r.tokens[r.pos]
			r.pos++
			return k.valueOf(r.text[t.start:t.end])
		}
	}
	if kinds == nil {
		name = strconv.Quote(name)
	}
	r.want(name, r.pos)
	return ""
}

// startOf returns the start of a place.
func (r *reading) startOf(at place) start {
	return start{at.typ, at.rule, r.kindAt(at.pos), at.last}
}

// skipRule fails at a place whose rule is dead.
func (r *reading) skipRule(at place, run func() any) {
	r.failed, r.seen = true, max(r.seen, at.pos)
	if at.pos > r.furthest {
		r.furthest, r.wanted, r.skipped = at.pos, nil, nil
	}
	if at.pos == r.furthest {
		if r.skipped == nil {
			r.skipped = map[place]func() any{}
		}
		r.skipped[at] = run
	}
}

// awaken runs the rules that have been skipped, to find out what they want.
func (r *reading) awaken(c *C) {
	clear(r.dead)
	for at, run := range r.skipped {
		if r.places[at] == nil {
			r.resultsOf(c, at, run)
		}
	}
}
