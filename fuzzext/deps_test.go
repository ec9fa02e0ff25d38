package fuzzext_test

import (
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/stretchr/testify/require"
)

// A user's test links the standard library, two packages of golang.org/x/exp, and packages of
// this module. Two packages stand apart, since each needs another module.
func TestDependencies(t *testing.T) {
	t.Parallel()
	const module = "github.com/espalier-go/espalier/"
	apart := []string{module + "bigen/callseq/linear", module + "bigen/bigenpb", module + "bigen/jsonschema"}
	list := func(args ...string) []string {
		out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
		require.NoError(t, err)
		return strings.Fields(string(out))
	}
	library := slices.DeleteFunc(list(".", "../bigen/...", "../choices", "../mutate", "../rl"),
		func(path string) bool {
			return slices.Contains(apart, path)
		})
	require.Contains(t, library, module+"bigen/tune/predict")
	for _, path := range list(
		append([]string{"-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, library...)...) {
		own, ok := strings.CutPrefix(path, module)
		if ok {
			require.False(t, strings.HasPrefix(own, "cmd/") || slices.Contains(apart, path), path)
			continue
		}
		require.Equal(t, "golang.org/x/exp/slices", path)
	}
}

// testLinks checks that a user's test binary has no function that carries out orders of corpusgen,
// or that makes models: only what WithModel needs is linked, where a test has that option.
func testLinks(t *testing.T, binary string) {
	t.Helper()
	out, err := exec.Command("go", "tool", "nm", binary).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "fuzzext.runCheck")
	for line := range strings.Lines(string(out)) {
		for _, pkg := range []string{"fuzzext/internal/order.", "bigen/tune.",
			"bigen/tune/predict.", "bigen/tune/search."} {
			_, name, ok := strings.Cut(line, " T github.com/espalier-go/espalier/"+pkg)
			require.False(t, ok && strings.TrimSpace(name) != "init", line)
		}
	}
}
