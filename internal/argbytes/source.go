package argbytes

import _ "embed"

// Source is the source of this package, which is compiled into the standard library of a binary
// of libFuzzer.
//
//go:embed argbytes.go
var Source []byte
