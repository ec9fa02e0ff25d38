//go:build espalier

package fuzzext

import (
	_ "unsafe" // for go:linkname

	"github.com/espalier-go/espalier/internal/engine"
)

// The engine that corpusgen fuzz makes declares this variable; see package overlay.
//
//go:linkname engineLink internal/fuzz.espalierLink4
var engineLink *engine.Link
