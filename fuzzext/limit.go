//go:build !go1.27

package fuzzext

import "time"

// engineLimit is how long Go's engine allows an execution.
const engineLimit = 10 * time.Second
