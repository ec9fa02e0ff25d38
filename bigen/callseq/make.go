package callseq

import (
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// machine is the [bigen.Machine] that makes or reads the calls of one sequence.
type machine C

// begin begins to make a sequence, or to read s. It returns the element of s that holds what
// is drawn before the calls, if anything is.
func (m *Model) begin(gen *bigen.C, s []Call) (x *machine, head []Call) {
	c := newC(m, making)
	c.gen = gen
	if gen.Backward() {
		c.doing = reading
	}
	first, _ := split(s)
	if first = c.setUp(first); len(first) > 1 {
		head = []Call{first}
	}
	return (*machine)(c), head
}

// split returns the element of s that holds what precedes the calls, and the calls.
func split(s []Call) (first Call, calls []Call) {
	if len(s) > 0 && s[0].op() == setup {
		return s[0], s[1:]
	}
	return Call{setup}, s
}

func (x *machine) Offer() []choices.Alt {
	if x.ended {
		return nil
	}
	able := false
	for i, o := range x.ops {
		x.alts[i].Weight = 0
		if (*C)(x).offered(o) {
			x.alts[i].Weight, able = o.weight, true
		}
	}
	if !able {
		return nil
	}
	if x.doing == making && len(x.scenarios) > 0 {
		(*C)(x).direct()
	}
	return x.alts
}

// Stops implements [bigen.Stopper]: what follows a scenario does not stop.
func (x *machine) Stops() float64 {
	if x.doing == making && len(x.scenarios) > 0 {
		return x.plain
	}
	return 1
}

func (x *machine) Allows(n int) bool { return x.ops[n].able }

func (x *machine) Find(gen *bigen.C, call *Call) int {
	n := (*C)(x).find(call.op())
	if n < 0 {
		gen.Refuse("there is no operation %q", call.op())
	}
	return n
}

func (x *machine) Step(_ *bigen.C, n int, call *Call) {
	c, o := (*C)(x), x.ops[n]
	if c.doing == making {
		if *call = c.begun(o); len(c.scenarios) > 0 {
			c.directed(o)
		}
	}
	if *call = c.do(o.name, *call, o.call); c.doing == making {
		*call = c.kept(*call)
	}
}

// begun returns a call without arguments, with room for some beside the calls made before.
func (c *C) begun(o *Op) Call {
	const usual, several = 4, 32
	if cap(c.room)-len(c.room) < usual {
		c.room = make(Call, 0, several)
	}
	n := len(c.room)
	return append(c.room[n:n:cap(c.room)], o.boxed)
}

// kept returns a call that begun began, which nothing can be appended to in place.
func (c *C) kept(call Call) Call {
	if n := len(c.room) + len(call); n <= cap(c.room) {
		c.room = c.room[:n]
	}
	return call[:len(call):len(call)]
}
