package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packagesOf returns packages as `go list` has them. Each line is a package, the number of braces of
// its file, and what it imports; after a bar, what its tests import. The packages below example.com/m
// are of the main module, those without a dot of the standard library. The first is under test.
func packagesOf(t *testing.T, lines ...string) *Packages {
	p := &Packages{known: map[string]listed{}}
	for _, line := range lines {
		code, tests, _ := strings.Cut(line, "|")
		words := strings.Fields(code)
		l := listed{
			ImportPath: words[0], Dir: t.TempDir(), GoFiles: []string{"p.go"},
			Standard: !strings.Contains(words[0], "."),
			Imports:  words[2:], XTestImports: strings.Fields(tests),
		}
		if !l.Standard {
			l.Module = &struct{ Main bool }{within(words[0], []string{"example.com/m"})}
		}
		var braces int
		_, err := fmt.Sscan(words[1], &braces)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(
			filepath.Join(l.Dir, "p.go"), []byte(strings.Repeat("{", braces)), 0o666))
		p.known[l.ImportPath] = l
		if len(p.under) == 0 {
			p.under = append(p.under, l.ImportPath)
		}
	}
	return p
}

// Imports are followed, the nearest first, as far as there is room.
func TestReach(t *testing.T) {
	for name, c := range map[string]struct {
		lines              []string
		main, others, left string
	}{
		"what is imported by what is under test": {
			[]string{"example.com/m 1 a.org/near", "a.org/near 1 a.org/far", "a.org/far 1", "b.org/not 1"},
			"example.com/m", "a.org/far a.org/near", "",
		},
		"through packages of the module": {
			[]string{"example.com/m 1 example.com/m/sub", "example.com/m/sub 1 a.org/a", "a.org/a 1"},
			"example.com/m example.com/m/sub", "a.org/a", "",
		},
		"what tests import, but for modules that only serve tests": {
			[]string{"example.com/m 1 | a.org/a github.com/stretchr/testify/require go.uber.org/goleak",
				"a.org/a 1", "github.com/stretchr/testify/require 1 y.org/y", "go.uber.org/goleak 1", "y.org/y 1"},
			"example.com/m", "a.org/a", "",
		},
		"what tests of other packages import is not reached": {
			[]string{"example.com/m 1 a.org/a", "a.org/a 1 | b.org/b", "b.org/b 1"},
			"example.com/m", "a.org/a", "",
		},
		"decoders that the module imports": {
			[]string{"example.com/m 1 encoding/json fmt a.org/a", "encoding/json 1 encoding/hex", "fmt 1",
				"encoding/hex 1", "a.org/a 1 net/url", "net/url 1"},
			"example.com/m", "a.org/a encoding/json", "",
		},
		"the nearest first": {
			[]string{"example.com/m 1 a.org/a", "a.org/a 30000 a.org/b", "a.org/b 20000 a.org/c", "a.org/c 1"},
			"example.com/m", "a.org/a", "a.org/b a.org/c",
		},
		"not this library": {
			[]string{"example.com/m 1 | github.com/espalier-go/espalier/fuzzext",
				"github.com/espalier-go/espalier/fuzzext 1 github.com/espalier-go/espalier/choices",
				"github.com/espalier-go/espalier/choices 1"},
			"example.com/m", "", "",
		},
		"nor what its parts of other modules need": {
			[]string{"example.com/m 1 | github.com/espalier-go/espalier/contrib/openapi",
				"github.com/espalier-go/espalier/contrib/openapi 1 a.org/a", "a.org/a 1"},
			"example.com/m", "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := packagesOf(t, c.lines...).Reach()
			require.Equal(t, c.main, strings.Join(r.Main, " "))
			require.Equal(t, c.others, strings.Join(r.Others, " "))
			require.Equal(t, c.left, strings.Join(r.Left, " "))
			for _, path := range r.Others {
				require.Contains(t, r.Rules, Rule{path, true})
			}
		})
	}
}
