package callseq

import (
	"encoding/json"
	"fmt"
)

// UnmarshalJSON reads what encoding/json makes of a Call: an array of the name of the operation
// and the arguments. Sequences can so be made of a log:
//
//	[["setup", 4], ["cache.Put", "a", 1], ["cache.Get", "a"]]
//
// An argument gets its type when the call is read or run by a model.
func (c *Call) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("callseq: a call is not an array of a name and arguments: %w", err)
	}
	if len(parts) == 0 {
		return fmt.Errorf("callseq: a call is an empty array: want the name of an operation, " +
			"and arguments")
	}
	var name string
	if err := json.Unmarshal(parts[0], &name); err != nil {
		return fmt.Errorf("callseq: a call does not begin with the name of an operation: %w", err)
	}
	*c = Call{name}
	for _, arg := range parts[1:] {
		*c = append(*c, arg)
	}
	return nil
}
