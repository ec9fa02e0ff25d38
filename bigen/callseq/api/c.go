package api

import (
	"testing"

	"golang.org/x/exp/slices"
)

// C is what a harness declares its operations in. It is a [testing.TB] for what is tested: its
// methods, such as Errorf, may be called within [C.Do] only.
type C struct {
	testing.TB
	m *machine
}

// Op declares an operation. Sequences know it by its name, which is the code that is called:
// pkg.Function, argument.Method, argument.Field = or an expression such as new(pkg.Type). What
// follows the word with is not code: it tells apart operations that call the same with fewer or
// more arguments. call draws the arguments and results first, and calls what is tested within
// [C.Do]. It must draw the same ones in the same order each time.
func (c *C) Op(name string, call func()) *Op {
	if _, known := c.m.byName[name]; known || name == "" || call == nil {
		misuse("declares the operation %q: it needs a name of its own, such as %q, and a function",
			name, name+" with text")
	}
	return c.m.declare(&Op{name: name, call: call})
}

// Declared returns an operation that has been declared before, so that code after the last line of
// corpusgen api can change it:
//
//	c.Declared("cache.Purge").Alone()
func (c *C) Declared(name string) *Op {
	n, known := c.m.byName[name]
	if !known {
		misuse("changes the operation %q, which it has not declared before: "+
			"see the names given to Op", name)
	}
	return c.m.ops[n]
}

// Any returns a precondition: there is a value in each of the pools.
func Any(pools ...interface{ Any() bool }) func() bool {
	return func() bool {
		return !slices.ContainsFunc(pools, func(p interface{ Any() bool }) bool { return !p.Any() })
	}
}

// Do calls f if the sequence is run. Whatever touches what is tested stands in f.
func (c *C) Do(f func()) {
	switch {
	case c.m.hold != nil:
		c.m.hold(f)
	case c.m.mode == running && !c.m.dry:
		if c.m.enter != nil {
			c.m.enter()
		}
		c.m.doing = true
		if c.m.looped && c.m.op.sets() {
			c.m.tb.Skip("a value would contain itself")
		}
		if c.m.op.writes && !c.m.confined {
			c.m.tb.Skip("it may write or remove a file of the user")
		}
		f()
		c.m.doing = false
	}
}

// Got says, within [C.Do], what a call has returned: all results, in order. A [Value] among
// them stands for what it holds. If the last is an error and not a Value, the call has refused
// its arguments: see [Classify].
func (c *C) Got(results ...any) {
	switch {
	case c.m.takes != nil:
		c.m.takes(results)
	case !c.m.doing:
		misuse("calls Got outside of Do")
	default:
		c.m.got(results)
	}
}

// Code sets the Go code of the call, in place of name(arguments), without what it is assigned
// to. The arguments are written as Go expressions, and a [Value] as the expression that it
// stands for, before they are formatted as by [fmt.Sprintf]:
//
//	c.Code("%v.Key = %v", node, key)
func (c *C) Code(format string, args ...any) {
	if c.m.mode == running && c.m.tracing {
		now := c.m.now()
		now.code, now.parts = format, args
	}
}
