package api

import (
	"reflect"
	"runtime"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/panics"
)

// A Pool holds the values of one type, for the calls of a sequence. [Type] makes it.
type Pool[T any] struct {
	base
	c        *C
	literals bigen.Gen[T]
	exprs    []func() T                // what makes the values of expressions
	others   []other[T]                // pools whose values may stand for values of this one
	spare    Value[T]                  // what is drawn while a sequence is made
	alts     []bigen.Alt[any]          // literals and expressions as arguments, but for stubs
	gens     map[uint64]bigen.Gen[any] // of arguments, by how many results there are
}

// other is a pool whose values may stand for values of type T.
type other[T any] struct {
	of        *base
	convert   func(cell) T
	constants func(tag string) []bigen.Alt[any] // its literals, with a tag, and expressions
	expr      func(code string) func() T
}

// A Value is an argument or a result of a call.
type Value[T any] struct {
	// V is what is given to the call, or what the call returns. It is valid within [C.Do].
	V T
	info
}

func (v *Value[T]) isNil() bool { return v.pool.nilable && isNil(any(v.V)) }
func (v *Value[T]) value() any  { return v.V }

func (v *Value[T]) walk(f *fingerprint) {
	defer func() {
		if recover() != nil { // the value is broken, or unsafe code has made it of another type
			f.mix(8)
		}
	}()
	if v.pool.state != nil && usable(v) {
		f.walk(reflect.ValueOf(v.pool.state(v.V)))
		return
	}
	f.walk(reflect.ValueOf(&v.V).Elem())
}

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
		p.exprs, p.codes = append(p.exprs, value), append(p.codes, code)
	}
}

// Code is an expression, declared by [Expr] or [Make], as an argument in [callseq.Calls].
type Code string

// asLiteral returns an argument as a T, unless it is a name or an expression.
func asLiteral[T any](arg any) (v T, ok bool) {
	switch arg.(type) {
	case callseq.Name, Code:
		return v, false
	}
	v, ok = arg.(T)
	return v, ok || arg == nil && reflect.TypeFor[T]().Kind() == reflect.Interface
}

// Concurrent says that several goroutines may use a value of the type at once, as package
// [github.com/espalier-go/espalier/bigen/callseq/linear] does:
//
//	caches := api.Type[*cache.Cache](c, "cache", api.Concurrent)
func Concurrent[T any](p *Pool[T]) { p.concurrent = true }

// Alone takes back [Concurrent]: each value is used by one goroutine at a time.
func Alone[T any](p *Pool[T]) { p.concurrent = false }

// Holds adds a contract for values of a type:
//
//	trees := api.Type(c, "tree", api.Holds("balanced", (*Tree).check))
//
// holds returns an error that says what is wrong, or nil. It must not change the value. It is
// not called for nil.
func Holds[T any](name string, holds func(v T) error) TypeOption[T] {
	_, file, line, _ := runtime.Caller(1)
	place := panics.Place(runtime.Frame{File: file, Line: line})
	c := contract{name: name, place: place, arity: 1, has: func(any) bool { return true }}
	c.wrong = func(x, _, _ any) string { return differ("", "nil", holds(x.(T)), nil) }
	return func(p *Pool[T]) { p.contracts = append(p.contracts, c) }
}

// Type declares a type of arguments or results. kind begins the names of the values that calls
// return, as in tree1. Call it in the function given to [New].
func Type[T any](c *C, kind string, opts ...TypeOption[T]) *Pool[T] {
	last, _ := utf8.DecodeLastRuneInString(kind)
	taken := func(p *base) bool { return p.names.Kind == kind }
	if kind == "" || unicode.IsDigit(last) || slices.ContainsFunc(c.m.pools, taken) {
		misuse("declares a type with the name %q: "+
			"it must be a name of its own that does not end in a digit", kind)
	}
	t := reflect.TypeFor[T]()
	p := &Pool[T]{c: c, gens: map[uint64]bigen.Gen[any]{}}
	p.base = base{
		names: operand.Names[callseq.Name]{Kind: kind, Cache: c.m.names}, newArg: "new " + kind,
		typ: t, nilable: nilable(t), index: len(c.m.pools), contracts: contractsOf[T](),
	}
	p.sources = []*base{&p.base}
	for _, o := range opts {
		o(p)
	}
	p.spare.pool = &p.base
	c.m.pools = append(c.m.pools, &p.base)
	return p
}

// Assign lets values of from stand where values of to are wanted, such as a *bytes.Buffer for an
// io.Reader. convert must be a mere assignment.
func Assign[T, S any](to *Pool[T], from *Pool[S], convert func(S) T) {
	to.sources = append(to.sources, &from.base)
	expr := func(code string) func() T {
		if value := from.expr(code); value != nil {
			return func() T { return convert(value()) }
		}
		return nil
	}
	value := func(x cell) T { return convert(x.(*Value[S]).V) }
	to.others = append(to.others, other[T]{&from.base, value, from.own, expr})
}

// expr returns what makes the value of an expression, or nil if no expression has that code.
func (p *Pool[T]) expr(code string) func() T {
	if i := slices.Index(p.codes, code); i >= 0 {
		return p.exprs[i]
	}
	return nil
}

// State sets by what [API.Generate] tells values apart, in place of all memory that they reach:
//
//	api.State(sets, func(s *Set) any { return s.Sorted() })
//
// So it keeps one sequence, not one for each order of insertion. state must not change the value.
// It is not called for nil.
func State[T any](p *Pool[T], state func(v T) any) {
	p.state = func(v any) any { return state(v.(T)) }
}

// Any reports whether there is a value other than nil and stubs.
func (p *Pool[T]) Any() bool {
	return slices.ContainsFunc(p.sources, func(s *base) bool {
		return s.hasLits || len(s.codes) > len(s.stubs) || len(s.names.Live) > 0
	})
}

// Arg draws an argument of a call: a literal, an expression, or what an earlier call has
// returned; if there is none, the zero value. name is the name of the parameter. If the name of the
// operation begins with it and a dot, the argument is the receiver.
func (p *Pool[T]) Arg(name string) *Value[T] {
	gen := func() bigen.Gen[any] { return p.gen(p.c.m.op.receives(name)) }
	given := part(p.c.m, name, gen, func(given any) any { return given })
	if p.c.m.mode != running {
		p.draws(given)
		return &p.spare
	}
	return p.given(p.c.m, name, given)
}

// converted returns the code of an expression where its type must be that of the pool: an expression
// for a function has no defined type.
func (p *base) converted(code, pkg string) string {
	if p.typ.Kind() == reflect.Func && p.typ.Name() != "" {
		return literal.TypeName(p.typ, pkg) + "(" + code + ")"
	}
	return code
}

// Result declares a result of a call, which later calls may use. Do sets its V.
func (p *Pool[T]) Result() *Value[T] {
	m := p.c.m
	name := p.result(m)
	if m.mode != running {
		return &p.spare
	}
	v := &Value[T]{info: info{pool: &p.base, slot: int32(len(m.cells)), name: name}}
	v.unready = m.op.unready || m.unready
	m.add(v)
	return v
}

// given returns an argument of the call that runs.
func (p *Pool[T]) given(m *machine, name string, given any) *Value[T] {
	v, code := &Value[T]{info: info{pool: &p.base, slot: -1}}, ""
	switch given := given.(type) {
	case callseq.Name:
		slot, ok := m.named[given]
		if !ok || !slices.Contains(p.sources, m.cells[slot].about().pool) {
			m.refuse("there is no %s for the argument %s", given, name)
		}
		x := m.cells[slot]
		m.use(x)
		m.looped = m.looped || p.loops(m, slot)
		if m.tracing && m.receiver >= 0 && m.root(slot) == m.root(m.receiver) { // a part of itself
			m.nests = m.nests || isTree(reflect.TypeOf(x.value()), map[reflect.Type]bool{})
		}
		if y, ok := x.(*Value[T]); ok && y.pool == &p.base {
			v = y
			break
		}
		i := slices.IndexFunc(p.others, func(o other[T]) bool { return o.of == x.about().pool })
		v.slot, v.V = x.about().slot, p.others[i].convert(x)
		m.late = append(m.late, func() { v.V = p.others[i].convert(x) })
	case Code:
		code = string(given)
		value, from := p.expr(code), &p.base
		for k := 0; value == nil; k++ {
			if k == len(p.others) {
				m.refuse("there is no expression %s for the argument %s", given, name)
			}
			value, from = p.others[k].expr(code), p.others[k].of
		}
		if m.tracing {
			text := code
			if from != &p.base || m.op.receives(name) {
				text = from.converted(code, m.pkg)
			}
			m.argument(name, text, v)
		}
		m.doing = true // a panic of an expression is one of the call
		v.V = value()
		m.doing = false
		m.stubbed = m.stubbed || p.stubs[code]
	case T:
		v.V = operand.Own(given)
	case nil:
	default:
		m.refuse("the argument %s is %T(%v): want a value of the type %v", name, given, given, p.typ)
	}
	m.give(name, code, v)
	return v
}
