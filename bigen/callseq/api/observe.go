package api

import (
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
)

const (
	maxObserved  = 4  // values that a regression test observes at the end
	maxObservers = 6  // calls that observe one
	maxAsked     = 6  // calls with other arguments that observe one
	maxTries     = 16 // calls that are tried for that
	maxSamples   = 4  // calls of an operation whose arguments are used again
	maxBetween   = 12 // calls of a sequence that is also observed before its end
	maxEach      = 2  // calls that observe a value there
)

// sample takes note of calls, so that others have the same arguments. Names other than the first,
// which may be the receiver, are dropped: they are mostly the names of results.
func (g *generator) sample(calls callseq.Calls) {
	for _, call := range calls {
		known := g.samples[nameOf(call)]
		if len(call) < 3 || len(known) == maxSamples {
			continue
		}
		if _, ok := call[1].(callseq.Name); !ok {
			continue
		}
		call = slices.Clone(call)
		for i := range call {
			if _, ok := call[i].(callseq.Name); ok {
				call[i] = callseq.Name("")
			}
		}
		same := func(other callseq.Call) bool { return reflect.DeepEqual(call, other) }
		if !slices.ContainsFunc(known, same) {
			g.samples[nameOf(call)] = append(known, call)
		}
	}
}

// An observed is a value that calls observe.
type observed struct {
	name  callseq.Name
	slot  int32
	state uint64
}

// observed returns a sequence that has run with more calls, which tell of its last results what
// they are, and leave them as they are: also after earlier calls that have such a result as the
// receiver.
func (g *generator) observed(s *sequence) *sequence {
	var values []observed
	for name, slot := range g.named {
		if x := g.cells[slot]; !x.isNil() && !operand.Flat(x.about().pool.typ) {
			values = append(values, observed{name, slot, g.together([]int32{slot})})
		}
	}
	slices.SortFunc(values, func(a, b observed) int { return int(b.slot - a.slot) })
	flat := flatsOf(s.calls)
	plain := map[callseq.Name][]callseq.Call{} // observers without other arguments
	was := s.calls
	for _, v := range values[:min(len(values), maxObserved)] {
		asked, tries := 0, 0
		for _, o := range g.ops {
			if !o.tells || o.writes || slices.Contains(g.opts.Without, o.name) {
				continue
			}
			if call := (callseq.Call{o.name, v.name}); len(plain[v.name]) < maxObservers {
				if more := g.asks(s, v, call); more != nil {
					s, plain[v.name] = more, append(plain[v.name], call)
				}
			}
			for _, call := range g.questions(o.name, v.name, flat) {
				if tries++; asked == maxAsked || tries > maxTries {
					break
				}
				if more := g.asks(s, v, call); more != nil {
					s = more
					asked++
				}
			}
		}
	}
	if len(was) > maxBetween || g.opts.mistakes == nil { // only mistakes say which of them matter
		return s
	}
	return g.between(s, was, plain)
}

// asks returns a sequence with one more call, if that leaves a value as it is, or nil.
func (g *generator) asks(s *sequence, v observed, call callseq.Call) *sequence {
	more := g.read(append(slices.Clip(s.calls), call))
	if more == nil { // it needs other arguments
		return nil
	}
	more = more.own()
	more.proven = len(s.calls)
	if g.run(more).class != Passed || g.together([]int32{v.slot}) != v.state {
		return nil
	}
	return more
}

// questions returns calls of an operation for a value, with the arguments of calls that have been
// made, and with what the sequence has given to others in place of one of them.
func (g *generator) questions(op string, value callseq.Name, flat []any) (all []callseq.Call) {
	for _, sample := range g.samples[op] {
		call := slices.Clone(sample)
		call[1] = value
		all = append(all, call)
		for i := 2; i < len(call); i++ {
			for _, v := range flat {
				if reflect.TypeOf(call[i]) == reflect.TypeOf(v) && call[i] != v {
					other := slices.Clone(call)
					other[i] = v
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// flatsOf returns the basic values that calls are given, also in slices, the last first, each once.
func flatsOf(calls callseq.Calls) (all []any) {
	add := func(v reflect.Value) {
		if operand.Flat(v.Type()) && !slices.Contains(all, v.Interface()) {
			all = append(all, v.Interface())
		}
	}
	for i := len(calls) - 1; i >= 0; i-- {
		for _, arg := range calls[i][1:] {
			switch arg.(type) {
			case callseq.Name, Code, nil:
				continue
			}
			if v := reflect.ValueOf(arg); v.Kind() == reflect.Slice {
				for k := range v.Len() {
					add(v.Index(k))
				}
			} else {
				add(v)
			}
		}
	}
	return all
}

// between returns a sequence with observers also after earlier calls.
func (g *generator) between(
	s *sequence, was callseq.Calls, plain map[callseq.Name][]callseq.Call,
) *sequence {
	var calls callseq.Calls
	for i, call := range was {
		calls = append(calls, call)
		if i == len(was)-1 || len(call) < 2 {
			continue
		}
		if name, ok := call[1].(callseq.Name); ok {
			observers := plain[name]
			calls = append(calls, observers[:min(len(observers), maxEach)]...)
		}
	}
	calls = append(calls, s.calls[len(was):]...)
	if more := g.read(calls); more != nil && len(calls) > len(s.calls) {
		if more = more.own(); g.run(more).class == Passed {
			return more
		}
	}
	return s
}
