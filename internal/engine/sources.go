package engine

import "embed"

// Sources are the files of this package, tests included.
//
//go:embed *.go
var Sources embed.FS
