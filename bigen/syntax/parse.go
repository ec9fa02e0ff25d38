package syntax

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"golang.org/x/exp/slices"
)

// How texts are parsed
//
// A place is a rule and a position. The results of a place are its ends, each with the first tree
// that is found for it. They are computed once:
//
//  1. The rule runs at the position. If it can continue in several ways, it takes the first way
//     that is left: choose records which.
//  2. As long as some choice has another way, the rule runs again from the start.
//  3. A part is another place. Its ends are the ways to continue after it.
//  4. If a way fails before there was another choice in it, the choice that it began with takes its
//     next way at once, without another run: see attempt.
//  5. A run that comes to a part and a position where another run of the place has been ends: what
//     follows has been tried. See been.
//  6. A place that needs its own results, by left recursion, gets the results found so far.
//     If there are more at the end, all of its ways are tried again, and what was computed
//     from results that were not final is forgotten. Within a [Last], it gets none.
//
// With a lexer, positions are numbers of tokens. A rule that fails at the first token fails at all
// tokens of its kind.
//
// So any grammar works, and the time is polynomial in the length of the text. Bounds on steps
// and nesting end a parse that takes too long.

var maxSteps = 4_000_000 // tests set fewer

const (
	perByte    = 100 // more steps
	maxNesting = 10_000
)

type reading struct {
	text   string
	space  *regexp.Regexp
	skips  map[int]int // ends of spaces
	lex    *Lexer      // nil if the language has none
	tokens []token
	pos    int
	failed bool // this way leads nowhere

	ways    []way         // of the place whose results are computed
	next    int           // the way to take next
	points  map[point]int // and the numbers of the ways there
	numbers int
	frame   frame
	places  map[place]*results
	dead    map[start]bool // rules that fail at their first token
	depth   int            // of nested places
	seen    int            // the last position at which a token was wanted
	lowest  int            // depth of the outermost place whose results were used before they were final

	steps    int
	gaveUp   string
	furthest int                  // where a token was wanted that is not there
	wanted   []string             // such tokens
	skipped  map[place]func() any // dead rules there, whose tokens are wanted, too
}

type place struct {
	typ  reflect.Type
	rule uintptr
	pos  int
	last bool // without alternatives that lead to the same place
}

// A start is a rule and the kind of the token that it begins at.
type start struct {
	typ  reflect.Type
	rule uintptr
	kind int
	last bool
}

type results struct {
	ends  []int
	trees []any // pointers
	depth int   // 0 if final
	used  bool
	seen  int // the last position at which a token was wanted
}

// Parse returns a tree whose text has the same tokens. The error names the line and column beyond
// which no tree reaches, and what is wanted there.
func (l *Language[T]) Parse(text string) (v T, err error) {
	r := &reading{
		text:   text,
		space:  l.space,
		skips:  map[int]int{},
		lex:    l.lexer,
		places: map[place]*results{},
		dead:   map[start]bool{},
		lowest: maxNesting,
	}
	if l.lexer != nil {
		r.tokens = l.lexer.tokens(text)
	}
	c := &C{reading: r}
	all := r.resultsOf(c, place{typ: reflect.TypeFor[T]()}, func() any {
		v := new(T)
		enter(r, v)
		l.root(c, v)
		if r.pos = r.skip(r.pos); !r.failed && r.offset(r.pos) < len(text) {
			r.want("the end", r.pos)
		}
		return v
	})
	if len(all.ends) > 0 {
		return *all.trees[0].(*T), nil
	}
	if r.gaveUp != "" {
		return v, fmt.Errorf("syntax: gave up: %s", r.gaveUp)
	}
	r.awaken(c)
	before := text[:r.offset(r.furthest)]
	slices.Sort(r.wanted)
	return v, fmt.Errorf("%d:%d: want %s", strings.Count(before, "\n")+1,
		len(before)-strings.LastIndexByte(before, '\n'),
		strings.Join(slices.Compact(r.wanted), " or "))
}

func readAt[T any](c *C, p *T, rule Rule[T], last bool) {
	if c.failed {
		return
	}
	at := place{reflect.TypeFor[T](), reflect.ValueOf(rule).Pointer(), c.pos, true}
	if outer := c.places[at]; outer != nil && outer.depth > 0 {
		c.lowest, c.failed = min(c.lowest, outer.depth), true
		return
	}
	at.last = last
	all := c.places[at]
	if been(c.reading, p, 0) {
		return
	}
	run := func() any {
		v := new(T)
		enter(c.reading, v)
		rule(c, v)
		return v
	}
	if all == nil && c.dead[c.startOf(at)] {
		c.skipRule(at, run)
		return
	}
	if all == nil {
		all = c.resultsOf(c, at, run)
	} else if all.depth > 0 {
		all.used = true
		c.lowest = min(c.lowest, all.depth)
	}
	c.seen = max(c.seen, all.seen)
	if i := c.choose(len(all.ends)); !c.failed {
		*p, c.pos = *all.trees[i].(*T), all.ends[i]
	}
}

// resultsOf computes the results of a place. run runs its rule once, and returns the tree.
func (r *reading) resultsOf(c *C, at place, run func() any) *results {
	ways, next, lowest, seen := r.ways, r.next, r.lowest, r.seen
	points, frame := r.points, r.frame
	r.seen = at.pos
	r.depth++
	all := &results{depth: r.depth}
	r.places[at], r.lowest = all, maxNesting
	if r.depth == maxNesting {
		r.giveUp("the text is nested too deep")
	}
	for grown := true; grown; {
		grown, all.used = false, false
		for r.ways, r.points = nil, nil; ; {
			r.pos, r.next, r.failed = at.pos, 0, r.gaveUp != ""
			tree := run()
			if !r.failed && !slices.Contains(all.ends, r.pos) {
				all.ends, all.trees, grown = append(all.ends, r.pos), append(all.trees, tree), true
			}
			r.ways = r.ways[:r.next]
			for n := len(r.ways); n > 0 && r.ways[n-1].taken+1 >= r.ways[n-1].of; n-- {
				r.ways = r.ways[:n-1]
			}
			if len(r.ways) == 0 {
				break
			}
			w := &r.ways[len(r.ways)-1]
			r.take(w, w.taken+1)
		}
		grown = grown && all.used
	}
	if r.lowest < r.depth {
		delete(r.places, at)
		lowest = min(lowest, r.lowest)
	} else if len(all.ends) == 0 && r.seen == at.pos && r.lex != nil && r.gaveUp == "" {
		r.dead[r.startOf(at)] = true
	}
	all.depth, all.seen = 0, r.seen
	r.depth--
	r.ways, r.next, r.lowest, r.seen = ways, next, lowest, max(seen, all.seen)
	r.points, r.frame = points, frame
	r.pos, r.failed = at.pos, r.gaveUp != ""
	return all
}

// choose returns which of n ways to take, from 0. If there are none, the run has failed.
func (r *reading) choose(n int) int {
	if r.failed = r.failed || n == 0; r.failed {
		return n - 1
	}
	if r.steps++; r.steps > maxSteps+perByte*len(r.text) {
		r.giveUp("the text can be read in too many ways")
	}
	if n == 1 {
		return 0
	}
	if r.next == len(r.ways) {
		r.ways = append(r.ways, way{})
		r.take(&r.ways[r.next], 0)
	}
	w := &r.ways[r.next]
	r.next++
	w.of = n
	return min(w.taken, n-1)
}

func (r *reading) giveUp(why string) { r.gaveUp, r.failed = why, true }

// read reads a token, or, if match is not nil, the token that matches.
func (r *reading) read(token string, match *regexp.Regexp) string {
	if r.failed {
		return ""
	}
	for pos := r.pos; ; {
		n := -1
		if rest := r.text[pos:]; match == nil && strings.HasPrefix(rest, token) {
			n = len(token)
		} else if match != nil {
			if m := match.FindStringIndex(rest); m != nil {
				n = m[1]
			}
		}
		end := pos + n
		cut := n > 0 && end < len(r.text) && letter(r.text[pos]) && kindOf(r.text[end-1]) == word &&
			(letter(r.text[end]) || digit(r.text[end]))
		if n >= 0 && !cut {
			r.pos = end
			return r.text[pos:end]
		}
		if next := r.skip(pos); next > pos {
			pos = next
			continue
		}
		if match == nil {
			token = fmt.Sprintf("%q", token)
		}
		r.want(token, pos)
		return ""
	}
}

// want ends a way at which there is no such token.
func (r *reading) want(token string, pos int) {
	r.failed = true
	r.seen = max(r.seen, pos)
	if pos > r.furthest {
		r.furthest, r.wanted, r.skipped = pos, nil, nil
	}
	if pos == r.furthest {
		r.wanted = append(r.wanted, token)
	}
}

// skip returns where the space at a position ends.
func (r *reading) skip(pos int) int {
	if r.space == nil {
		return pos
	}
	end, ok := r.skips[pos]
	if !ok {
		end = pos
		if m := r.space.FindStringIndex(r.text[pos:]); m != nil {
			end += m[1]
		}
		r.skips[pos] = end
	}
	return end
}
