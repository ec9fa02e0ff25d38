package strength

import (
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/stretchr/testify/require"
)

// Lines are shown without the tabs that all have, and not all of many.
func TestMarked(t *testing.T) {
	require.Equal(t, "\t-\n", marked("-", ""))
	require.Equal(t, "\t+ if x {\n\t+ \ty()\n\t+ }\n", marked("+", "\t\tif x {\n\t\t\ty()\n\t\t}"))
	require.Equal(t, "\t- 1\n\t- 2\n\t- 3\n\t- 4\n\t- 5\n\t- 6\n\t- ...\n",
		marked("-", "1\n2\n3\n4\n5\n6\n7\n8"))
	require.Equal(t, "a, b, c, d, e and 2 more", someOf([]string{"a", "b", "c", "d", "e", "f", "g"}))
}

// A verdict holds as long as the tests that decided it stay what they are.
func TestMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dir", "memory.json")
	m := &memory{
		path: path, tests: map[string]string{"TestA": "1", "TestB": "2"}, known: map[string]remembered{},
	}
	judgmentOf := func(id string, v verdict, by string) judgment {
		return judgment{
			Mistake: &mistake.Mistake{ID: id}, Verdict: v, By: by, Tests: []string{"TestA", "TestB"},
		}
	}
	m.keep(judgmentOf("killed", killed, "TestB"))
	m.keep(judgmentOf("survives", survives, ""))
	m.keep(judgmentOf("unsteady", unsteady, ""))
	m.keep(judgmentOf("together", killed, "all tests together"))
	require.NoError(t, m.write())
	for _, c := range []struct {
		name  string
		tests map[string]string
		known []string
	}{
		{"the same", map[string]string{"TestA": "1", "TestB": "2"}, []string{"killed", "survives"}},
		{"another test", map[string]string{"TestA": "3", "TestB": "2"}, []string{"killed"}},
		{"the test", map[string]string{"TestA": "1", "TestB": "3"}, nil},
	} {
		m.tests = c.tests
		var known []string
		for _, id := range []string{"killed", "survives", "unsteady", "together", "new"} {
			if j := judgmentOf(id, unreached, ""); m.recall(&j) {
				known = append(known, id)
				require.Equal(t, verdict(id), j.Verdict)
			}
		}
		require.Equal(t, c.known, known, c.name)
	}
}

// The file of accepted survivors has their identities, and replaces nothing else.
func TestAccepted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accepted")
	j := judgment{Mistake: &mistake.Mistake{ID: "b7", Func: "F", Kind: "error", Before: "\tx()\n\ty()"}}
	a, err := readAccepted(path, true)
	require.NoError(t, err)
	require.True(t, a.has(j, "f.go"))
	require.NoError(t, a.write())
	require.Equal(t, []string{"b7 f.go F error: x()"}, a.lines)
	a, err = readAccepted(path, false)
	require.NoError(t, err)
	require.True(t, a.has(j, "elsewhere.go"))
	require.False(t, a.has(judgment{Mistake: &mistake.Mistake{ID: "b8"}}, "f.go"))
	_, err = readAccepted(filepath.Join(path, "not"), false)
	require.Error(t, err)
}
