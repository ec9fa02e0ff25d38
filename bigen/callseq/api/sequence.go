package api

import (
	"fmt"
	"math"
	"math/bits"

	"golang.org/x/exp/slices"
)

// A sequence is calls that have been made. It consists of other sequences, one after another,
// and of calls behind these. Its results are numbered through: the slots of its own calls count
// from the first result of its first part.
type sequence struct {
	parts   []*sequence
	calls   []opCall
	length  int // calls, with those of the parts
	results int // of them
	values  []valueOf
	used    bool // it is part of another sequence that has been kept
}

// An opCall is an operation and its arguments.
type opCall struct {
	op    *Op
	args  []arg
	first int32 // the result that slot 0 stands for, once the parts of a sequence are laid out
}

// arg is an argument of a call.
type arg struct {
	kind argKind
	slot int32 // which of the results before, or of the expressions
	lit  any   // the literal, or the element of [callseq.Calls]
}

type argKind uint8

const (
	argNil argKind = iota
	argSlot
	argLiteral
	argCode
	argRaw    // of [callseq.Calls]
	argResult // not an argument, but a result; in traces only
)

// valueOf is a result that may be an argument of later calls.
type valueOf struct {
	pool *base
	slot int32
}

// flatten appends the calls of s, whose first result is first.
func (s *sequence) flatten(to []opCall, first int32) []opCall {
	at := first
	for _, p := range s.parts {
		to = p.flatten(to, at)
		at += int32(p.results)
	}
	for _, c := range s.calls {
		to = append(to, opCall{c.op, c.args, first})
	}
	return to
}

// absolute returns calls whose slots count from the first result of all.
func absolute(calls []opCall) []opCall {
	all := make([]opCall, len(calls))
	for i, c := range calls {
		args := slices.Clone(c.args)
		for j := range args {
			if args[j].kind == argSlot {
				args[j].slot += c.first
			}
		}
		all[i] = opCall{op: c.op, args: args}
	}
	return all
}

// hashCalls returns a hash of the text of a sequence.
func hashCalls(calls []opCall) uint64 {
	h := uint64(len(calls))
	for i := range calls {
		c := &calls[i]
		h = mix(h, uint64(c.op.index))
		for j := range c.args {
			a := &c.args[j]
			slot := a.slot
			if a.kind == argSlot {
				slot += c.first
			}
			h = mix(h, uint64(a.kind)<<32|uint64(uint32(slot)))
		}
	}
	return h
}

func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

// hashLiteral returns a hash of a literal, which is kept in the slot of its argument.
func hashLiteral(v any) int32 {
	var h uint64
	switch v := v.(type) {
	case nil:
	case int:
		h = mix(1, uint64(v))
	case bool:
		if h = 2; v {
			h = 3
		}
	case float64:
		h = mix(4, math.Float64bits(v))
	default:
		h = 5
		for _, b := range []byte(fmt.Sprintf("%T%#v", v, v)) {
			h = mix(h, uint64(b))
		}
	}
	return int32(h)
}
