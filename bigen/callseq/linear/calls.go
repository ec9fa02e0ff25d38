package linear

import (
	"encoding/json"
	"fmt"

	"github.com/espalier-go/espalier/bigen/callseq"
	"golang.org/x/exp/slices"
)

// Calls is a sequence of calls of several threads, a value of [Model.Gen]:
//
//	linear.Calls{{0, "setup", 4}, {0, "stack.Push", 1}, {1, "stack.Pop"}, {2, "stack.Pop"}}
//
// Neighbors with threads from 1 on run at once, the calls of one thread in their order. A call of
// thread 0 runs alone, after all calls before it.
type Calls []Call

// A Call is a thread, from 0, followed by a [callseq.Call].
type Call []any

// thread returns the thread, or -1 if there is none.
func (c Call) thread() int {
	if len(c) < 2 {
		return -1
	}
	if n, ok := c[0].(int); ok {
		return n
	}
	return -1
}

// op returns the name of the operation, or "".
func (c Call) op() string {
	if c.thread() < 0 {
		return ""
	}
	op, _ := c[1].(string)
	return op
}

// UnmarshalJSON reads what encoding/json makes of a Call: an array of the thread, the name of
// the operation, and the arguments, such as [1, "stack.Push", 3].
func (c *Call) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("linear: a call is not an array of a thread, a name and arguments: %w", err)
	}
	thread := -1
	if len(parts) > 0 {
		if err := json.Unmarshal(parts[0], &thread); err != nil {
			return fmt.Errorf("linear: a call does not begin with the number of a thread: %w", err)
		}
	}
	if thread < 0 {
		return fmt.Errorf("linear: a call has no thread: want an array of a number from 0, the " +
			"name of an operation, and arguments")
	}
	rest, err := json.Marshal(parts[1:])
	if err != nil {
		return err
	}
	var call callseq.Call
	if err := call.UnmarshalJSON(rest); err != nil {
		return err
	}
	*c = slices.Insert(Call(call), 0, any(thread))
	return nil
}
