package api

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// A Pool holds the values of one type, for the calls of a sequence. [Type] makes it.
type Pool[T any] struct {
	base
	c        *C
	literals bigen.Gen[T]
	exprs    []expr[T]
	others   []other[T]               // pools whose values may stand for those of this one
	symbols  *callseq.Pool[*Value[T]] // while a sequence is made or read
	holds    []contract[T]
	spare    Value[T] // what is drawn while a sequence is chosen
}

// expr is a Go expression, and what makes its value.
type expr[T any] struct {
	code string
	make func() T
}

// other is a pool whose values may stand for those of type T.
type other[T any] struct {
	of      *base
	convert func(cell) T
}

// A Value is an argument or a result of a call.
type Value[T any] struct {
	// V is what is given to the call, or what the call returns. It is valid within [C.Do].
	V T

	pool    *Pool[T]
	slot    int32 // the result that it is; -1 if it is none
	unready bool
}

func (v *Value[T]) isNil() bool         { return v.pool.nilable && isNil(any(v.V)) }
func (v *Value[T]) isReady() bool       { return !v.unready }
func (v *Value[T]) of() *base           { return &v.pool.base }
func (v *Value[T]) value() any          { return v.V }
func (v *Value[T]) number() int32       { return v.slot }
func (v *Value[T]) walk(f *fingerprint) { f.add(reflect.ValueOf(&v.V).Elem()) }

// A TypeOption says what values of a type there are beside those that calls return.
type TypeOption[T any] func(*Pool[T])

// Literals makes values by a generator:
//
//	keys := api.Type(c, "key", api.Literals(bigen.OneOf(-1, 0, 1, 10, 100)))
//
// A slice or map is the call's own. What its elements point to must not be changed.
func Literals[T any](g bigen.Gen[T]) TypeOption[T] {
	return func(p *Pool[T]) { p.literals, p.hasLits = g, true }
}

// Expr adds a value that no literal can express, such as a function, with its Go code. Calls
// must not change the value.
func Expr[T any](code string, v T) TypeOption[T] { return Make(code, func() T { return v }) }

// Make adds a value that is made anew for each call that uses it, with its Go code:
//
//	api.Make(`strings.NewReader("abc")`, func() io.Reader { return strings.NewReader("abc") })
func Make[T any](code string, value func() T) TypeOption[T] {
	return func(p *Pool[T]) {
		p.exprs = append(p.exprs, expr[T]{code, value})
		p.codes = append(p.codes, code)
		p.quoted = append(p.quoted, quoted(code))
	}
}

// Holds adds a contract for values of a type:
//
//	trees := api.Type(c, "tree", api.Holds("balanced", (*Tree).check))
//
// holds returns an error that says what is wrong, or nil. It must not change the value. It is
// not called for nil.
func Holds[T any](name string, holds func(v T) error) TypeOption[T] {
	return func(p *Pool[T]) {
		p.holds = append(p.holds, contract[T]{name: name, arity: 1, wrong: func(x, _, _ T) string { return textOfError(holds(x)) }})
	}
}

// Type declares a type of arguments or results. kind begins the names of the values that calls
// return, as in tree1. Call it in the function given to [New].
func Type[T any](c *C, kind string, opts ...TypeOption[T]) *Pool[T] {
	last, _ := utf8.DecodeLastRuneInString(kind)
	if kind == "" || unicode.IsDigit(last) || c.kinds[kind] {
		misuse("declares a type with the name %q: it must be a name of its own that does not end in a digit", kind)
	}
	c.kinds[kind] = true
	t := reflect.TypeFor[T]()
	p := &Pool[T]{base: base{kind: kind, typ: t, nilable: nilable(t)}, c: c, holds: defaultContracts[T]()}
	p.sources = []*base{&p.base}
	for _, o := range opts {
		o(p)
	}
	p.relates = slices.ContainsFunc(p.holds, func(c contract[T]) bool { return c.arity > 1 })
	p.literal = func(r *rand.Rand) any { return bigen.Sample(p.literals, r) }
	p.violated = p.violation
	p.encode = func(to []byte, lit any) []byte { return encodeLiteral(p.literals, to, lit) }
	p.spare.pool = p
	if c.seq != nil {
		p.symbols = callseq.NewPool[*Value[T]](c.seq, kind)
		p.names = p.symbols.Names
	} else {
		p.index = len(c.m.pools)
		c.m.pools = append(c.m.pools, &p.base)
	}
	return p
}

// Assign lets values of from stand where values of to are wanted, such as a *bytes.Buffer for an
// io.Reader. convert must be a mere assignment.
func Assign[T, S any](to *Pool[T], from *Pool[S], convert func(S) T) {
	to.sources = append(to.sources, &from.base)
	to.others = append(to.others, other[T]{&from.base, func(x cell) T { return convert(x.(*Value[S]).V) }})
}

// Any reports whether there is a value other than nil.
func (p *Pool[T]) Any() bool {
	if p.hasLits || len(p.codes) > 0 {
		return true
	}
	if p.c.seq == nil {
		return p.c.m.has(&p.base)
	}
	for _, s := range p.sources {
		if len(s.names()) > 0 {
			return true
		}
	}
	return false
}

// Arg draws an argument of a call: a literal, an expression, or what an earlier call has
// returned; if there is none, the zero value. name is that of the parameter. If the name of the
// operation begins with it and a dot, the argument is the receiver.
func (p *Pool[T]) Arg(name string) *Value[T] {
	switch m := p.c.m; {
	case m == nil:
		callseq.Arg(p.c.seq, name, p.gen())
		return &p.spare
	case m.mode == choosing:
		m.choose(&p.base)
		return &p.spare
	case m.mode == describing:
		m.op.plan.draws = append(m.op.plan.draws, draw{pool: &p.base})
		return &p.spare
	default:
		return p.given(m, name)
	}
}

// Result declares a result of a call, which later calls may use. Do sets its V.
func (p *Pool[T]) Result() *Value[T] {
	switch m := p.c.m; {
	case m == nil:
		v := &Value[T]{pool: p}
		return p.symbols.Add(v)
	case m.mode == choosing:
		return &p.spare
	case m.mode == describing:
		m.op.plan.draws = append(m.op.plan.draws, draw{&p.base, true})
		return &p.spare
	default:
		v := &Value[T]{pool: p, slot: int32(len(m.cells)), unready: m.op.unready}
		m.add(v)
		return v
	}
}

// gen returns the generator of an argument of a sequence that is made or read.
func (p *Pool[T]) gen() bigen.Gen[any] {
	var alts []bigen.Alt[any]
	constants := len(p.exprs)
	if p.hasLits {
		constants++
		alts = append(alts, bigen.Tag("literal", bigen.Iso(p.literals, func(v T) any { return v }, asLiteral[T])))
	}
	for _, e := range p.exprs {
		alts = append(alts, bigen.Tag(e.code, bigen.Just[any](Code(e.code))))
	}
	results := 0
	for _, s := range p.sources {
		for _, name := range s.names() {
			results++
			alts = append(alts, bigen.Tag(string(name), bigen.Just[any](name)))
		}
	}
	if len(alts) == 0 {
		return bigen.Just[any](nil)
	}
	// Most bugs need few values, so the first result gets half of the weight of all.
	share := 1.0
	if constants > 0 && results > 0 {
		share = float64(constants) / 3
	}
	for i := constants; i < len(alts); i++ {
		w := share / float64(results)
		if results > 1 {
			if w = share / 2; i > constants {
				w /= float64(results - 1)
			}
		}
		alts[i] = alts[i].Weight(w)
	}
	return bigen.Pick(alts...)
}

// given returns the next argument of the call that runs.
func (p *Pool[T]) given(m *machine, name string) *Value[T] {
	a := m.next(name)
	if a.kind == argRaw {
		a = p.resolve(m, a.lit, name)
	}
	v := &Value[T]{pool: p, slot: -1}
	switch a.kind {
	case argSlot:
		x := m.cells[a.slot+m.first]
		m.use(x)
		switch y, ok := x.(*Value[T]); {
		case ok && y.pool == p:
			v = y
		default:
			i := slices.IndexFunc(p.others, func(o other[T]) bool { return o.of == x.of() })
			v.slot, v.V = x.number(), p.others[i].convert(x)
		}
	case argLiteral:
		lit, _ := a.lit.(T)
		v.V = own(lit, p.typ)
	case argCode:
		v.V = p.exprs[a.slot].make()
	}
	m.give(name, a, v)
	return v
}

// resolve returns an argument of [callseq.Calls].
func (p *Pool[T]) resolve(m *machine, given any, name string) arg {
	if text, ok := textOf(given); ok {
		if slot, ok := m.named[callseq.Name(text)]; ok && (m.cells[slot].of() == &p.base || slices.ContainsFunc(p.others, func(o other[T]) bool { return o.of == m.cells[slot].of() })) {
			return arg{kind: argSlot, slot: slot}
		}
		if i := slices.Index(p.codes, text); i >= 0 {
			return arg{kind: argCode, slot: int32(i)}
		}
	}
	if lit, ok := decodeLiteral(p.literals, p.hasLits, given); ok {
		return arg{kind: argLiteral, lit: lit}
	}
	if given == nil {
		return arg{kind: argNil}
	}
	m.refuse("the argument %s is %s, which is no %v", name, fmt.Sprintf("%T(%v)", given, given), p.typ)
	return arg{}
}

// violation returns a contract that does not hold for values of the pool, or nil.
func (p *Pool[T]) violation(d due) *violation {
	m := p.c.m
	if len(p.holds) == 0 {
		return nil
	}
	var values []T
	var slots []int32
	for _, x := range m.cells {
		if v, ok := x.(*Value[T]); ok && v.pool == p && !v.unready && !v.isNil() {
			values, slots = append(values, v.V), append(slots, v.slot)
		}
	}
	for i := range p.holds {
		c := &p.holds[i]
		if c.last && !d.last || m.only != "" && m.only != c.name {
			continue
		}
		if v := c.check(d, values, slots); v != nil {
			return v
		}
	}
	return nil
}
