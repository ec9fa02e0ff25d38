package api

import "fmt"

// StateOf is the fingerprint of a value.
func StateOf(v any) uint64 { return stateOf(v) }

// AddValidators declares methods M0, M1 and so on, by which each value says that it is valid, and
// behind them a method Last, by which last says it. It returns what undoes that.
func AddValidators(n int, last func(v any) (valid bool)) (undo func()) {
	before := validators
	for i := range n {
		validators = append(validators, validBy(fmt.Sprintf("M%d", i), func(any) bool { return true }))
	}
	validators = append(validators, validBy("Last", last))
	return func() { validators = before }
}
