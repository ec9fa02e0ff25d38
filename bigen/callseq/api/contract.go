package api

import (
	"fmt"
	"strings"
)

// contract is something that must hold for values of type T. What calls must not do to values
// is a [callContract].
type contract[T any] struct {
	name  string
	fits  bool // the type has the methods
	last  bool // it changes the value, so it is checked at the end of a sequence
	arity int  // how many values it relates: up to 3, which may be the same
	wrong func(x, y, z T) string

	// code is Go code that fails a test t if the contract does not hold, to be formatted with
	// the names of the values.
	code string
}

// Holds adds a contract for values of a type:
//
//	trees := api.Type(c, "tree", api.Holds("balanced", (*Tree).check))
//
// holds returns an error that says what is wrong, or nil. It must not change the value. It is
// not called for nil.
func Holds[T any](name string, holds func(v T) error) TypeOption[T] {
	return func(p *Pool[T]) {
		p.holds = append(p.holds, contract[T]{name: name, arity: 1, wrong: func(x, _, _ T) string {
			if err := holds(x); err != nil {
				return err.Error()
			}
			return ""
		}})
	}
}

// violation is a contract that does not hold.
type violation struct {
	contract  string
	wrong     string
	slots     []int32 // of the values
	as        string  // what the code calls an argument; "" if it names none
	call, arg int     // that argument, among those that are traced
	code      string
}

// message says what is wrong.
func (v *violation) message(name func(slot int32) string) string {
	names := make([]string, len(v.slots))
	for i, slot := range v.slots {
		names[i] = name(slot)
	}
	return fmt.Sprintf("contract %s of %s: %s", v.contract, strings.Join(names, ", "), v.wrong)
}

// due says which contracts are checked.
type due struct {
	value   func(slot int32) bool // those of these values
	related bool                  // those that relate any values, not only these
	last    bool                  // those that change values
}

var everything = due{func(int32) bool { return true }, true, true}

// violation returns a contract that does not hold for the values of the sequence, or nil.
func (m *machine) violation(d due) *violation {
	for _, p := range m.pools {
		if v := p.violated(d); v != nil {
			return v
		}
	}
	for _, c := range m.ofCalls {
		if v := c.violated(m, d); v != nil {
			return v
		}
	}
	if len(m.api.contracts) == 0 {
		return nil
	}
	var values []any
	for _, x := range m.cells {
		if !x.isNil() && x.isReady() {
			values = append(values, x.value())
		}
	}
	for _, c := range m.api.contracts {
		if m.only != "" && m.only != c.Name() {
			continue
		}
		if wrong := guarded(func() string {
			if err := c.Check(values); err != nil {
				return err.Error()
			}
			return ""
		}); wrong != "" {
			return &violation{contract: c.Name(), wrong: wrong}
		}
	}
	return nil
}

// maxRelated bounds the values that a contract relates to each other: the last ones.
const maxRelated = 5

// violation returns a contract that does not hold for values of the pool, or nil.
func (p *Pool[T]) violation(d due) *violation {
	m := p.c.m
	if len(p.holds) == 0 {
		return nil
	}
	var all []*Value[T]
	for _, x := range m.cells {
		if v, ok := x.(*Value[T]); ok && v.pool == p && !v.unready && !v.isNil() {
			all = append(all, v)
		}
	}
	few := all[max(0, len(all)-maxRelated):]
	for i := range p.holds {
		c := &p.holds[i]
		if c.last && !d.last || m.only != "" && m.only != c.name {
			continue
		}
		switch c.arity {
		case 1:
			for _, x := range all {
				if v := c.check(d, x); v != nil {
					return v
				}
			}
		case 2:
			for _, x := range few {
				for _, y := range few {
					if v := c.check(d, x, y); v != nil {
						return v
					}
				}
			}
		case 3:
			for _, x := range few {
				for _, y := range few {
					for _, z := range few {
						if v := c.check(d, x, y, z); v != nil {
							return v
						}
					}
				}
			}
		}
	}
	return nil
}

// check returns a violation if the contract does not hold for some values, one of which is due.
func (c *contract[T]) check(d due, values ...*Value[T]) *violation {
	var x [3]T
	any := d.related && c.arity > 1
	for i, v := range values {
		x[i], any = v.V, any || d.value(v.slot)
	}
	if !any {
		return nil
	}
	wrong := guarded(func() string { return c.wrong(x[0], x[1], x[2]) })
	if wrong == "" {
		return nil
	}
	v := &violation{contract: c.name, wrong: wrong, code: c.code}
	for _, x := range values {
		v.slots = append(v.slots, x.slot)
	}
	return v
}

// guarded returns the result of f, or says that it panics.
func guarded(f func() string) (s string) {
	defer func() {
		if p := recover(); p != nil {
			s = fmt.Sprintf("panic: %v", p)
		}
	}()
	return f()
}
