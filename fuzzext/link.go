//go:build !espalier

package fuzzext

import "github.com/espalier-go/espalier/internal/engine"

// engineLink connects a worker process with an engine that corpusgen fuzz has made; nil
// without one.
var engineLink *engine.Link
