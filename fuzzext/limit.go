package fuzzext

import (
	"runtime"

	"github.com/espalier-go/espalier/internal/gorelease"
)

// engineLimit is how long Go's engine allows an execution.
var engineLimit = gorelease.Limit(runtime.Version())

// minimizeTime is how long the minimization of a failure takes at most; see budget.
var minimizeTime = engineLimit / 5

// explainTime is how long an explanation in a report takes at most; see budget.
var explainTime = minimizeTime / 4
