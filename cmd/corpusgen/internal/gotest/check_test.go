package gotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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
	var pkg Package
	pkg.readTests(files)
	require.NoError(t, pkg.Err)
	require.ElementsMatch(t, []string{"FuzzX", "Fuzz_TestTaken"}, pkg.Targets)
	require.False(t, pkg.Schedules)
	calls := map[string]bool{}
	for _, c := range pkg.Checks {
		calls[c.Package+"."+c.Name] = c.Calls
	}
	require.Equal(t, map[string]bool{
		"p.TestDirect": true, "p.TestSequence": true, "p.TestTyped": true, "p.TestNested": true,
		"p.TestHelped": true,
		"p.TestNone":   false, "p_test.TestOutside": false, "p_test.TestCheck": false,
	}, calls)
}

// A package explores schedules if one of its tests does.
func TestSchedules(t *testing.T) {
	for text, want := range map[string]bool{
		`import "github.com/espalier-go/espalier/fuzzext"; func TestX(t *testing.T) { fuzzext.Concurrent(t, nil) }`:        true,
		`import "github.com/espalier-go/espalier/fuzzext"; var opts = []fuzzext.Option{fuzzext.Schedules()}`:               true,
		`import f "github.com/espalier-go/espalier/fuzzext"; func TestX(t *testing.T) { f.Check(t, g, p, f.Schedules()) }`: true,
		`import . "github.com/espalier-go/espalier/fuzzext"; func TestX(t *testing.T) { Concurrent(t, nil) }`:              true,
		`import "github.com/espalier-go/espalier/fuzzext"; func TestX(t *testing.T) { fuzzext.Check(t, g, p) }`:            false,
		`import "example.com/fuzzext"; func TestX(t *testing.T) { fuzzext.Concurrent(t, nil) }`:                            false,
		`func TestX(t *testing.T) { Concurrent(t, nil) }`:                                                                  false,
	} {
		path := filepath.Join(t.TempDir(), "x_test.go")
		require.NoError(t, os.WriteFile(path, []byte("package p\n"+text), 0o666))
		var pkg Package
		pkg.readTests([]string{path})
		require.NoError(t, pkg.Err)
		require.Equal(t, want, pkg.Schedules, text)
		if want && len(pkg.Checks) > 0 {
			require.True(t, pkg.Checks[0].Calls, text)
		}
	}
}
