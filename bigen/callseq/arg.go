package callseq

import (
	"encoding/json"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
)

// Arg draws an argument of a call from g, which may depend on the model and on the arguments
// drawn before, never on results. In the function given to [New], it draws a value that
// precedes the calls. Sequences know arguments by their order, choices by their names, which
// must differ within a call. All arguments are drawn before [C.Do].
//
// A slice is the caller's own, and may be changed; what its elements point to may not.
func Arg[A any](c *C, name string, g bigen.Gen[A]) (v A) {
	c.draw(name)
	switch c.doing {
	case making:
		c.alien = true
		bigen.Part(c.gen, name, &v, g)
		c.alien = false
		c.call = append(c.call, v)
	case reading:
		v = given[A](c, name)
		c.alien = true
		bigen.Part(c.gen, name, &v, g)
		c.alien = false
	case running:
		v = given[A](c, name)
		if c.runner.verify {
			if err := bigen.Check(g, v); err != nil {
				c.runner.fail("the argument %s is not one that the operation draws here: %v%s",
					name, err, depends)
			}
		}
		c.runner.freeze(len(c.args), v)
	}
	return operand.Own(v)
}

// depends explains what is most likely wrong with a call that is not possible.
const depends = "\nIf it was when the sequence was made, the model depends on results, or " +
	"outlives a run: set nothing in Do that arguments or preconditions depend on, and declare " +
	"the model's variables in the function given to New"

// draw begins an argument.
func (c *C) draw(name string) {
	switch {
	case c.phase == drawn && c.name == setup:
		c.misuse("draws %q after Do: draw all values before Do, which may depend on them", name)
	case c.phase == drawn:
		c.misuse("draws the argument %q after Do: draw all arguments before Do, which may "+
			"depend on them", name)
	case c.phase != drawing:
		c.misuse("draws %q outside of an operation, or within Do: draw arguments at the "+
			"beginning of an operation", name)
	case slices.Contains(c.args, name):
		c.misuse("draws two arguments named %q: give each a name of its own", name)
	}
	c.args = append(c.args, name)
	if c.doing == running {
		c.runner.now().args = c.args
	}
}

// given returns the next argument of a call that is read or run.
func given[A any](c *C, name string) (v A) {
	if len(c.args) >= len(c.call) {
		c.refuse("it has no argument %s", name)
	}
	arg := c.call[len(c.args)]
	v, ok := arg.(A)
	if raw, isRaw := arg.(json.RawMessage); isRaw && !ok {
		if err := json.Unmarshal(raw, &v); err != nil {
			c.refuse("the argument %s is not of type %v: %v", name, reflect.TypeFor[A](), err)
		}
		if c.doing == running { // the report shows the argument as it is
			c.call = slices.Clone(c.call)
			c.call[len(c.args)] = v
			c.runner.now().call = c.call
		}
		return v
	}
	if !ok && (arg != nil || reflect.TypeFor[A]().Kind() != reflect.Interface) {
		c.refuse("the argument %s is of type %T, not %v", name, arg, reflect.TypeFor[A]())
	}
	return v
}

// refuse ends a call that is read or run because the model has none such.
func (c *C) refuse(format string, args ...any) {
	if c.doing == reading {
		c.alien = true
		c.gen.Refuse(format, args...)
	}
	c.runner.fail(format, args...)
}
