package goprogram

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Each program type-checks, and runs backward.
func TestGen(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	std := importer.ForCompiler(fset, "source", nil)
	world, err := parser.ParseFile(fset, "world.go", World, 0)
	require.NoError(t, err)
	config := types.Config{Importer: std}
	pkg, err := config.Check("example.com/batch/world", fset, []*ast.File{world}, nil)
	require.NoError(t, err)
	lookup := importers{pkg, std}
	common, err := parser.ParseFile(fset, "common.go", Common, 0)
	require.NoError(t, err)

	r := rand.New(rand.NewPCG(1, 1))
	used := map[string]bool{}
	for i := range long.Count(50, 1000) {
		program, tree, err := bigen.Run(Gen, choices.Random(r))
		require.NoError(t, err)
		mark(program, used)
		source := Source(program, i)
		file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
		require.NoError(t, err, source)
		config := types.Config{Importer: lookup}
		_, err = config.Check("progs", fset, []*ast.File{file, common}, nil)
		if err != nil {
			at := fset.PositionFor(err.(types.Error).Pos, false)
			t.Errorf("%v\n%s", err, strings.Split(source, "\n")[at.Line-1])
			continue
		}
		if i%20 == 0 {
			back, err := bigen.Choices(Gen, program)
			require.NoError(t, err)
			require.Equal(t, tree, back)
		}
	}
	if long.Enabled() {
		for kind, list := range texts {
			for _, text := range list {
				if kind != "vars" && kind != "common" && !used[text] {
					t.Errorf("no program has the %s %s", kind, text)
				}
			}
		}
	}
}

// mark marks the texts that a program has.
func mark(n *Node, used map[string]bool) {
	if n == nil {
		return
	}
	used[n.Text] = true
	for _, part := range n.Parts {
		mark(part, used)
	}
	for _, s := range n.List {
		mark(s, used)
	}
}

type importers struct {
	world *types.Package
	std   types.Importer
}

func (i importers) Import(path string) (*types.Package, error) {
	if strings.HasSuffix(path, "/world") {
		return i.world, nil
	}
	return i.std.Import(path)
}
