package api

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// A Pool holds the values of one type, for the calls of a sequence. [Type] makes it.
type Pool[T any] struct {
	base
	literals bigen.Gen[T]
	exprs    []expr[T]
	others   []other[T]               // pools whose values may stand for those of this one
	symbols  *callseq.Pool[*Value[T]] // while a sequence is made or read
	holds    []contract[T]
	spare    Value[T] // what is drawn while a sequence is chosen
}

// base is what of a pool does not depend on its type.
type base struct {
	c        *C
	kind     string
	typ      reflect.Type
	index    int
	nilable  bool
	hasLits  bool
	relates  bool     // contracts relate its values to each other
	codes    []string // of expressions
	quoted   []string // the same as JSON
	literal  func(r *rand.Rand) any
	encode   func(to []byte, lit any) []byte
	names    func() []callseq.Name // while a sequence is made or read
	sources  []*base               // pools whose values may stand for those of this one, itself first
	violated func(due) *violation

	stock // of [API.Generate]
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

// Code is an expression, declared by [Expr] or [Make], as an argument in [callseq.Calls].
type Code string

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

// Type declares a type of arguments or results. kind begins the names of the values that calls
// return, as in tree1. Call it in the function given to [New].
func Type[T any](c *C, kind string, opts ...TypeOption[T]) *Pool[T] {
	last, _ := utf8.DecodeLastRuneInString(kind)
	if kind == "" || unicode.IsDigit(last) || c.kinds[kind] {
		misuse("declares a type with the name %q: it must be a name of its own that does not end in a digit", kind)
	}
	c.kinds[kind] = true
	t := reflect.TypeFor[T]()
	p := &Pool[T]{base: base{c: c, kind: kind, typ: t, nilable: nilable(t)}}
	p.sources = []*base{&p.base}
	p.holds = defaultContracts[T]()
	for _, o := range opts {
		o(p)
	}
	p.relates = slices.ContainsFunc(p.holds, func(c contract[T]) bool { return c.arity > 1 })
	p.literal = func(r *rand.Rand) any { return bigen.Sample(p.literals, r) }
	p.violated = p.violation
	p.encode = p.encodeLiteral
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

// asLiteral returns an argument as a T, unless it is a name or an expression.
func asLiteral[T any](arg any) (v T, ok bool) {
	switch arg.(type) {
	case callseq.Name, Code:
		return v, false
	}
	v, ok = arg.(T)
	return v, ok || arg == nil && reflect.TypeFor[T]().Kind() == reflect.Interface
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
	if v.isNil() {
		m.tainted = true
	}
	if v.slot >= 0 && strings.HasPrefix(m.op.name, name) && strings.HasPrefix(m.op.name[len(name):], ".") {
		m.receiver = v.slot
	}
	m.give(name, v)
	if m.tracing {
		m.traceArg(name, a, &p.base, v, v.V)
	}
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
	if lit, ok := p.decode(given); ok {
		return arg{kind: argLiteral, lit: lit}
	}
	if given == nil {
		return arg{kind: argNil}
	}
	m.refuse("the argument %s is %s, which is no %v", name, fmt.Sprintf("%T(%v)", given, given), p.typ)
	return arg{}
}

// own returns v with memory of its own, if it is a slice or a map.
func own[T any](v T, t reflect.Type) T {
	switch t.Kind() {
	case reflect.Slice:
		return ownSlice(reflect.ValueOf(v)).Interface().(T)
	case reflect.Map:
		x := reflect.ValueOf(v)
		if x.IsNil() {
			return v
		}
		s := reflect.MakeMapWithSize(t, x.Len())
		for it := x.MapRange(); it.Next(); {
			s.SetMapIndex(it.Key(), it.Value())
		}
		return s.Interface().(T)
	}
	return v
}

func ownSlice(v reflect.Value) reflect.Value {
	if v.Len() == 0 {
		return v
	}
	s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(s, v)
	return s
}

// nilable reports whether values of a type can be nil, and be unusable then.
func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan:
		return true
	}
	return false
}

// isNil reports whether a value is nil, or an interface with a nil pointer.
func isNil(v any) bool {
	x := reflect.ValueOf(v)
	return !x.IsValid() || nilable(x.Type()) && x.IsNil()
}
