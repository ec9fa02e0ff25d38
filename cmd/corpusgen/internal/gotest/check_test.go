package gotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

func TestChecks(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, text := range map[string]string{
		"a_test.go": `package p
import ("testing"; fx "github.com/espalier-go/espalier/fuzzext")
func TestDirect(t *testing.T) { fx.Check(t, g, prop) }
func TestSequence(t *testing.T) { fx.Sequence(t, model) }
func TestTyped(t *testing.T) { fx.Check[int](t, g, prop) }
func TestNested(t *testing.T) { t.Run("x", func(t *testing.T) { fx.Check(t, g, prop) }) }
func TestHelped(t *testing.T) { helper(t) }
func TestNone(t *testing.T) { other.Check(t); loop() }
func loop() { loop() }
func helper(t *testing.T) { if false { helper(t) }; deeper[int](t) }
func Testlower(t *testing.T) { fx.Check(t, g, prop) }
func TestTaken(t *testing.T) { helper(t) }
func Fuzz_TestTaken(f *testing.F) {}
func FuzzX(f *testing.F) {}
`,
		"b_test.go": `package p
import . "github.com/espalier-go/espalier/fuzzext"
func deeper[T any](t *testing.T) { Check(t, g, prop) }
`,
		"c_test.go": `package p_test
import "testing"
func TestOutside(t *testing.T) { helper(t) }
func TestCheck(t *testing.T) { Check(t) }
`,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		files = append(files, path)
	}
	names, checks, err := targets(files)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"FuzzX", "Fuzz_TestTaken"}, names)
	calls := map[string]bool{}
	for _, c := range checks {
		calls[c.Package+"."+c.Name] = c.Calls
	}
	require.Equal(t, map[string]bool{
		"p.TestDirect": true, "p.TestSequence": true, "p.TestTyped": true, "p.TestNested": true, "p.TestHelped": true,
		"p.TestNone": false, "p_test.TestOutside": false, "p_test.TestCheck": false,
	}, calls)
}
