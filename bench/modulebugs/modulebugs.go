// Package modulebugs has known bugs of public modules, at versions that still have them: a
// property for each, and generators of its values.
package modulebugs

import (
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/mutants"
)

// Programs returns the modules. Each names its bugs after the module's reports of them.
func Programs() []mutants.Program {
	return []mutants.Program{roaringModule, tomlModule, diffModule, mergeModule, deleteModule}
}

func drawOf[V any](g *rapid.Generator[V]) func(t *rapid.T) V {
	return func(t *rapid.T) V { return g.Draw(t, "v") }
}
