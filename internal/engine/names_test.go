package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packageNames returns the names that the package in dir declares for all of its files,
// the names by which its files import others, and the paths that they import.
func packageNames(t *testing.T, dir string) (declared, imported, paths map[string]string) {
	declared, imported, paths = map[string]string{}, map[string]string{}, map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil && d.Name.Name != "init" {
						declared[d.Name.Name] = name
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							declared[s.Name.Name] = name
						case *ast.ValueSpec:
							for _, id := range s.Names {
								declared[id.Name] = name
							}
						}
					}
				}
			}
			for _, i := range file.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				base := path[strings.LastIndexByte(path, '/')+1:]
				if i.Name != nil {
					base = i.Name.Name
				}
				imported[base], paths[path] = name, name
			}
		}
	}
	delete(declared, "_")
	delete(imported, "_")
	return declared, imported, paths
}

// TestNames: this package compiles as a part of internal/fuzz.
func TestNames(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	declared, imported, _ := packageNames(t,
		filepath.Join(strings.TrimSpace(string(out)), "src", "internal", "fuzz"))
	require.Contains(t, declared, "CoordinateFuzzing")
	ours, imports, paths := packageNames(t, ".")
	require.Contains(t, ours, "Prober")
	for name, file := range ours {
		require.NotContains(t, declared, name, file)
		require.NotContains(t, imported, name, file)
		require.Nil(t, types.Universe.Lookup(name), file)
	}
	for name, file := range imports {
		require.NotContains(t, declared, name, file)
	}
	for name, file := range declared {
		require.Nil(t, types.Universe.Lookup(name), file)
	}
	for path, file := range paths {
		require.NotContains(t, path, ".", "%s imports more than the standard library", file)
	}
	out, err = exec.Command("go",
		append([]string{"list", "-deps"}, slices.Collect(maps.Keys(paths))...)...).Output()
	require.NoError(t, err)
	require.NotContains(t, strings.Fields(string(out)), "internal/fuzz")
}
