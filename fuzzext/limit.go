package fuzzext

import (
	"runtime"

	"github.com/espalier-go/espalier/internal/gorelease"
)

// engineLimit is how long Go's engine allows an execution.
var engineLimit = gorelease.Limit(runtime.Version())
