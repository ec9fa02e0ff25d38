package api

import (
	"fmt"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// genOf returns the generator of sequences that machines make and read.
func genOf(machine func() *machine, mean, most int) bigen.Gen[callseq.Calls] {
	begin := func(gen *bigen.C, _ []callseq.Call) (bigen.Machine[callseq.Call], []callseq.Call) {
		m := machine()
		m.beginWith(gen)
		return m, nil
	}
	return bigen.As[callseq.Calls](bigen.Steps(begin, float64(mean), most))
}

// beginWith begins to make or to read a sequence.
func (m *machine) beginWith(gen *bigen.C) {
	m.begin()
	if q, ok := m.tb.(*quiet); ok {
		q.begin()
	}
	m.gen, m.mode, m.offers = gen, making, false
	if gen.Backward() {
		m.mode = reading
	}
}

// Offer implements [bigen.Machine]. What is possible changes only with the first value of a pool.
func (m *machine) Offer() []choices.Alt {
	if m.offers {
		return m.alts
	}
	for i, o := range m.ops {
		m.alts[i].Weight = 0
		if o.able = o.when == nil || o.when(); o.able {
			m.alts[i].Weight, m.offers = o.weight(), true
		}
	}
	if !m.offers {
		return nil
	}
	return m.alts
}

// End implements [bigen.Ender].
func (m *machine) End() {
	if m.home != nil {
		m.home.put(m)
	}
}

// Allows implements [bigen.Machine].
func (m *machine) Allows(n int) bool { return m.ops[n].able }

// Find implements [bigen.Machine].
func (m *machine) Find(_ *bigen.C, call *callseq.Call) int { return m.find(*call) }

// find returns which operation a call is of.
func (m *machine) find(call callseq.Call) int {
	n, ok := m.byName[nameOf(call)]
	if !ok {
		m.op = &Op{name: nameOf(call)}
		m.refuse("there is no such operation")
	}
	return n
}

// Step implements [bigen.Machine].
func (m *machine) Step(_ *bigen.C, n int, call *callseq.Call) {
	if m.mode == making {
		*call = append(make(callseq.Call, 0, 4), m.ops[n].name)
	}
	m.do(m.ops[n], *call)
	if m.tb.Failed() {
		misuse("fails the test outside of Do, in the operation %q", m.op.name)
	}
	*call = m.call
}

// do makes, reads or runs a call.
func (m *machine) do(o *Op, call callseq.Call) {
	m.op, m.call, m.at, m.parts, m.uses = o, call, 1, m.parts[:0], uses{}
	o.call()
	if m.at < len(m.call) {
		m.refuse("it has %d arguments, not %d", len(m.call)-1, m.at-1)
	}
}

// refuse ends a call that is read or run because the API does not have it.
func (m *machine) refuse(format string, args ...any) {
	if m.mode == reading {
		m.gen.Refuse("%s: "+format, append([]any{m.op.name}, args...)...)
	}
	m.tb.Helper()
	m.tb.Fatalf("api: %s: "+format, append([]any{m.op.name}, args...)...)
}

// part makes, reads or takes an argument of the call, or the name of a result. If it is not made,
// of says what the next argument stands for.
func part[A any](m *machine, name string, g func() bigen.Gen[A], of func(given any) A) (v A) {
	if slices.Contains(m.parts, name) {
		misuse("draws two arguments named %q in the operation %q: give each a name of its own",
			name, m.op.name)
	}
	m.parts = append(m.parts, name)
	if m.mode != making {
		if m.at >= len(m.call) {
			m.refuse("it has no argument %s", name)
		}
		v = of(m.call[m.at])
	}
	if m.at++; m.mode != running {
		bigen.Part(m.gen, name, &v, g())
	}
	if m.mode == making {
		m.call = append(m.call, v)
	}
	return v
}

// result makes, reads or takes the name of a result.
func (p *base) result(m *machine) callseq.Name {
	arg := p.newArg
	for n := 2; slices.Contains(m.parts, arg); n++ {
		arg = fmt.Sprint(p.newArg, " ", n)
	}
	if m.mode != running {
		m.makes[hash.SubSlot(0, hash.FNV32(arg))] = p
	}
	name := part(m, arg, p.names.Unused, func(given any) callseq.Name {
		name, ok := given.(callseq.Name)
		if !ok {
			m.refuse("%v does not name a result: want a name such as %s1", given, p.names.Kind)
		}
		return name
	})
	if name != "" {
		if wrong := p.names.Add(name); wrong != "" {
			m.refuse("%s", wrong)
		}
		m.uses.made = append(m.uses.made, string(name))
		m.offers = m.offers && len(p.names.Live) > 1
		if m.op.alone || m.uses.lone {
			m.lone[name] = true
		}
	}
	return name
}

// maxGens bounds the generators of arguments that a pool keeps.
const maxGens = 1 << 10

// gen returns the generator of an argument, which may be a receiver.
func (p *Pool[T]) gen(receiver bool) bigen.Gen[any] {
	stubs := len(p.stubs)
	if receiver {
		stubs = 0
	}
	// Mixed, so that no count stands for another.
	key, keep := hash.Mix(1, uint64(stubs)), len(p.gens) < maxGens
	for _, s := range p.sources {
		key = hash.Mix(key, uint64(len(s.names.Live)))
		keep = keep && s.names.Whole()
	}
	if keep {
		if g, ok := p.gens[key]; ok {
			return g
		}
	}
	alts := slices.Clone(p.constants())
	if stubs > 0 {
		alts = append(alts, p.expressions(true)...)
	}
	constants, results := len(alts), 0
	for _, s := range p.sources {
		results += len(s.names.Live)
	}
	// Most bugs need few values, so the first result gets half of the weight of all. What has identity
	// is as often a result as not: two calls of one writer say more than calls of two.
	share := 1.0
	switch kind := p.typ.Kind(); {
	case constants > 0 && (kind == reflect.Interface || kind == reflect.Pointer):
		share = float64(constants)
	case constants > 0:
		share = float64(constants) / 3
	}
	for _, s := range p.sources {
		for _, name := range s.names.Live {
			w := share / float64(results)
			if results > 1 {
				if w = share / 2; len(alts) > constants {
					w /= float64(results - 1)
				}
			}
			alts = append(alts, bigen.Tag(string(name), bigen.Just[any](name)).Weight(w))
		}
	}
	g := bigen.Just[any](nil)
	if len(alts) > 0 {
		g = bigen.Pick(alts...)
	}
	if keep {
		p.gens[key] = g
	}
	return g
}

// constants returns the alternatives that are there before any call: literals and expressions but
// stubs, also of other types that stand for this one.
func (p *Pool[T]) constants() []bigen.Alt[any] {
	if p.alts == nil {
		p.alts = p.own("literal")
		for _, o := range p.others {
			p.alts = append(p.alts, o.constants("literal "+o.of.names.Kind)...)
		}
	}
	return p.alts
}

// own returns the alternatives of this type alone, literals with a tag.
func (p *Pool[T]) own(tag string) (alts []bigen.Alt[any]) {
	if p.hasLits {
		literals := bigen.Iso(p.literals, func(v T) any { return v }, asLiteral[T])
		weight := max(1, float64(len(p.codes)))
		alts = append(alts, bigen.Tag(tag, literals).Weight(weight))
	}
	return append(alts, p.expressions(false)...)
}

// expressions returns the alternatives that are expressions of this type, stubs or others.
func (p *base) expressions(stubs bool) (alts []bigen.Alt[any]) {
	for _, code := range p.codes {
		if p.stubs[code] == stubs {
			alts = append(alts, bigen.Tag(code, bigen.Just[any](Code(code))))
		}
	}
	return alts
}
