package bigen

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/remade"
)

// Matching makes strings of valid UTF-8 that match the whole of a regular expression
// in the syntax of [regexp]: exactly those that regexp.MustCompile(`\A(?:` + expr +
// `)\z`) matches.
//
//   - An alternation is a [Pick], whose tags are the texts of the branches as
//     [syntax.Regexp] writes them, or the name of a branch that is a named group.
//     Package syntax factors out common prefixes: gray|green is gr(?:ay|een).
//   - A class, a dot, and a letter whose case does not matter are each a text of one
//     rune; repeated, they are a single text; see [StringOf].
//   - Any other repetition is made like the elements of [SliceOf]; random ones have a
//     mean of up to 3 beyond the fewest.
//   - Literals, groups, and anchors at the beginning and the end of the expression
//     ask nothing. With ^ and $ elsewhere, and with \b and \B, a string is made as if
//     they were absent, and drawn again if they do not hold: see [SuchThat], whose
//     fallback here is a shortest string that matches.
//
// Backward, the first branch that leads to a match is taken, and a repetition is as
// long as it can be. The time is bounded by a polynomial in the lengths of expr and
// string. If an expression is so ambiguous that this bound is high, reading a string
// may fail with [ErrGaveUp].
//
// Matching panics if expr does not parse, if no string matches it, or if it is too
// large. It keeps the last few hundred expressions, so it may be called wherever a
// generator is needed.
func Matching(expr string) Gen[string] {
	return patterns.get(expr, maxPatterns, func() Gen[string] { return newMatching(expr) })
}

var patterns cache[string, Gen[string]] // by expression

const maxPatterns = 500

func newMatching(expr string) Gen[string] {
	remade.Note("a bigen.Matching")
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(fmt.Sprintf("bigen.Matching: %v", err))
	}
	var b partBuilder
	root := b.build(re, true, true)
	g := &pattern{root: root}
	shortest, ok := "", root != nil
	if ok && b.asserts {
		shortest, ok = shortestMatch(re)
	}
	if !ok {
		panic(fmt.Sprintf("bigen.Matching(%q): no string matches", expr))
	}
	if root.height() > maxHeight {
		panic(fmt.Sprintf(
			"bigen.Matching(%q): alternations and repetitions are nested deeper than %d", expr,
			maxHeight,
		))
	}
	end := g.emit(instr{kind: instrEnd})
	if g.start = g.compile(root, end); len(g.prog) > maxProgram {
		panic(fmt.Sprintf(
			"bigen.Matching(%q): the expression is too large, with its repetitions written out",
			expr,
		))
	}
	if !b.asserts {
		return Gen[string]{u: untyped{op: g}}
	}
	whole := regexp.MustCompile(`\A(?:` + expr + `)\z`)
	return Gen[string]{u: untyped{op: &assertedOp{
		g, filterOp[string]{Gen[string]{u: untyped{op: g}}, whole.MatchString, nil, &shortest},
	}}}
}

// maxHeight bounds how deep the choices of one string nest. It leaves room for the
// levels around the string.
const maxHeight = maxForced / 4

func (g *pattern) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*string)(u)
	var b strings.Builder
	g.root.forward(c, &b)
	*p = b.String()
}

func (g *pattern) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*string)(u)
	if !utf8.ValidString(*p) {
		return c.explain != nil && c.fail(byValue, "%q is not valid UTF-8", *p)
	}
	r := reading{s: *p, explain: c.explain != nil}
	ok := r.match(g)
	if c.work += r.steps / stepsPerChoice; !ok {
		c.gaveUp = c.gaveUp || r.exhausted()
		return c.explain != nil && c.fail(byValue, "%s", r.fault())
	}
	at, depth := c.at, c.depth
	r.pos = 0
	if !g.root.backward(c, &r) {
		c.at, c.depth = at, depth
		return false
	}
	c.inexact()
	return true
}

// assertedOp makes the strings of a pattern for which its assertions hold.
type assertedOp struct {
	pattern *pattern
	filter  filterOp[string]
}

func (g *assertedOp) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	g.filter.forward(c, lo, hi, u)
}

func (g *assertedOp) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	if p := (*string)(u); c.explain != nil && !g.filter.ok(*p) {
		return g.pattern.backward(c, lo, hi, u) &&
			c.fail(byValue, `%q does not match: a ^, $, \b or \B does not hold`, *p)
	}
	return g.filter.backward(c, lo, hi, u)
}

// forward makes a string and writes it to b.
func (p *part) forward(c *C, b *strings.Builder) {
	at := c.at
	switch p.kind {
	case partLiteral:
		b.WriteString(p.text)
	case partRun:
		b.WriteString(c.text(p.class, p.min, p.max))
	case partSequence:
		for i, sub := range p.parts {
			c.at.slot = hash.SubSlot(at.slot, p.slots[i])
			sub.forward(c, b)
		}
	case partAlternation:
		n, br := c.pick(p.alts)
		p.parts[n].forward(c, b)
		c.leavePick(br)
	case partRepeat:
		for i := 0; i < p.max; i++ {
			c.at.index = int32(i)
			n, br := c.pick(p.offered(i))
			more := n > 0 || i < p.min
			if more {
				p.parts[0].forward(c, b)
			}
			c.leavePick(br)
			if !more {
				break
			}
		}
	}
	c.at = at
}

// offered returns the alternatives before the i-th time: the first p.min there must
// be.
func (p *part) offered(i int) []choices.Alt {
	if i < p.min {
		return p.alts[1:]
	}
	return p.alts
}

// backward records the choices that make what r has read.
func (p *part) backward(c *C, r *reading) bool {
	at := c.at
	switch p.kind {
	case partLiteral:
		r.pos += len(p.text)
	case partRun:
		from := r.pos
		r.pos = r.take()
		return c.readText(p.class, p.min, p.max, r.s[from:r.pos])
	case partSequence:
		for i, sub := range p.parts {
			c.at.slot = hash.SubSlot(at.slot, p.slots[i])
			if !sub.backward(c, r) {
				return false
			}
		}
	case partAlternation:
		n := r.take()
		if !c.readPick(p.alts, n, func() bool { return p.parts[n].backward(c, r) }) {
			return false
		}
	case partRepeat:
		for i := 0; i < p.max; i++ {
			c.at.index = int32(i)
			n, sub := 0, p.parts[0]
			if i >= p.min {
				if n = r.take(); n == 0 {
					sub = &part{}
				}
			}
			if !c.readPick(p.offered(i), n, func() bool { return sub.backward(c, r) }) {
				return false
			}
			if sub != p.parts[0] {
				break
			}
		}
	}
	c.at = at
	return true
}

// A cache keeps what is made for each key, for several goroutines. Once it is full, it forgets all.
type cache[K comparable, V any] struct {
	mu   sync.RWMutex
	made map[K]V
}

func (c *cache[K, V]) find(key K) (v V, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok = c.made[key]
	return v, ok
}

// get returns what is kept for a key, or keeps what build returns. A cache of so many keys is full.
func (c *cache[K, V]) get(key K, most int, build func() V) V {
	v, ok := c.find(key)
	if ok {
		return v
	}
	v = build()
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.made[key]; ok {
		return first
	}
	if c.made == nil || len(c.made) >= most {
		c.made = map[K]V{}
	}
	c.made[key] = v
	return v
}
