package api

// StateOf is the fingerprint of a value.
func StateOf(v any) uint64 { return stateOf(v) }
