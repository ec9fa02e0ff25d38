package instrument

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// source is a module with a fuzz target in package under. The package, its test, its
// external test and its import lib contain a function Probe each, and so does the module
// dep that it requires. The path of the temporary directory makes its packages new to
// the build cache.
var source = map[string]string{
	"go.mod": `module example.com/m
go 1.26
require example.com/dep v0.0.0
replace example.com/dep => ./dep
`,
	"lib/lib.go":       probe("lib", "") + "func Lib(x int) bool { return Probe(x) }\n",
	"under/under.go":   probe("under", `"example.com/dep"; "example.com/m/lib"; "path"`) + use,
	"under/in_test.go": strings.ReplaceAll(probe("under", `"testing"`), "Probe", "InProbe") + target,
	"under/out_test.go": strings.ReplaceAll(probe("under_test", `"testing"; "example.com/m/under"`),
		"Probe", "OutProbe") + outside,
	"dep/go.mod": "module example.com/dep\ngo 1.26\n",
	"dep/dep.go": probe("dep", ""),
}

const (
	use = `
func Use(s string) bool {
	n := len(path.Clean(s))
	return Probe(n) && dep.Probe(n) && lib.Lib(n)
}
`
	target = `
func FuzzUse(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) {
		if InProbe(len(s)) { t.Skip() }
		Use(s)
	})
}
`
	outside = `
func TestOutside(t *testing.T) {
	if OutProbe(len(t.Name())) { under.Use("1") }
}
`
)

func probe(pkg, imports string) string {
	return "package " + pkg + "\nimport (" + imports +
		")\n//go:noinline\nfunc Probe(x int) bool { return x == 12345 }\n"
}

// The functions in a test binary of under, Probe in each package and one of the
// standard library.
const (
	inLib   = "example.com/m/lib.Probe"
	inUnder = "example.com/m/under.Probe"
	inTest  = "example.com/m/under.InProbe"
	inXTest = "example.com/m/under_test.OutProbe"
	inDep   = "example.com/dep.Probe"
	inStd   = "path.Clean"
)

// The packages of these functions.
const (
	lib   = "example.com/m/lib"
	under = "example.com/m/under" // with its test
	xtest = "example.com/m/under_test"
	dep   = "example.com/dep"
	std   = "path"
)

var ours = []string{lib, under, xtest}

// counted reports whether `go test -fuzz` instruments code for this architecture.
var counted = slices.Contains([]string{"amd64", "arm64", "loong64"}, runtime.GOARCH)

// Builds with and without instrumentation share the build cache, in any order, and
// each gets what it asks for. The binary fuzzes, with coverage and without complaint, on
// what it covers.
func TestBuild(t *testing.T) {
	if !long.Enabled() {
		t.Skip("builds test binaries")
	}
	var stock []string
	if counted {
		stock = []string{inLib, inUnder, inTest, inDep, inStd} // but no external tests
	}
	builds := []struct {
		flags []string
		want  []string
	}{
		{Flags(Default(under), ""), []string{inLib, inUnder, inTest, inXTest}},
		{nil, nil},
		{[]string{"-fuzz=."}, stock}, // instruments the standard library, which takes long
	}
	orders := [][]int{{1, 0}}
	if long.Enabled() {
		orders = [][]int{{0, 2, 1, 0}, {1, 2, 0, 2}}
	}
	for _, order := range orders {
		module(t, source)
		for _, i := range order {
			binary := filepath.Join(t.TempDir(), "test.exe")
			args := append([]string{"test", "-c", "-vet=off", "-o", binary}, builds[i].flags...)
			goRun(t, append(args, "./under")...)
			require.ElementsMatch(t, builds[i].want, instrumentedIn(t, binary), builds[i].flags)
			if i == 0 {
				fuzz(t, binary)
			}
		}
	}
}

// fuzz runs a test binary of under for some executions.
func fuzz(t *testing.T, binary string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.fuzz=FuzzUse",
		"-test.fuzztime=100x", "-test.parallel=1", "-test.fuzzcachedir="+t.TempDir())
	run.Dir = "under"
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "PASS")
	if counted {
		require.Contains(t, string(out), "gathering baseline coverage")
	}
}

// The packages that the engine uses are compiled as they are, whatever the patterns.
func TestPatterns(t *testing.T) {
	if !long.Enabled() {
		t.Skip("runs the go command")
	}
	module(t, source)
	for list, want := range map[string][]string{
		"./lib":                    {lib},
		"./...":                    append([]string{dep}, ours...),
		"example.com/dep/...":      {dep},
		"all":                      append([]string{dep, std}, ours...),
		"std":                      {std},
		"example.com/m/under, std": {under, xtest, std},
	} {
		rules, err := Parse(t.Context(), list)
		require.NoError(t, err)
		compiles := dryRun(t, Flags(rules, "")...)
		require.ElementsMatch(t, want, ofSource(t, compiles), list)
		for _, pkg := range never {
			require.Contains(t, compiles, pkg)
			require.False(t, compiles[pkg], pkg)
		}
		if list == "all" && counted {
			asStock(t, compiles)
		}
	}
}

// asStock checks that, of the packages that the test imports, exactly these are instrumented that
// `go test -fuzz` instruments.
func asStock(t *testing.T, compiles map[string]bool) {
	t.Helper()
	stock := dryRun(t, "-fuzz=.")
	for pkg := range strings.Lines(goRun(t, "list", "-deps", "./under", "testing")) {
		pkg = strings.TrimSpace(pkg)
		require.Equal(t, stock[pkg], compiles[pkg], pkg)
	}
}

func TestOtherFlags(t *testing.T) {
	if !long.Enabled() {
		t.Skip("runs the go command")
	}
	module(t, source)
	flags := [][]string{
		{"-cover", "-coverpkg=./..."},
		{"-trimpath", "-tags=espalier"},
		{"-race"},
	}
	for _, args := range flags {
		if cgo := strings.TrimSpace(goRun(t, "env", "CGO_ENABLED")); slices.Contains(args,
			"-race") && cgo != "1" {
			t.Log("-race needs cgo")
			continue
		}
		args = append(args, Flags(Default(under), "")...)
		require.ElementsMatch(t, ours, compiled(t, args...), args)
	}
}

// Vendored packages lie below the module's directory, but are not of the module.
func TestVendor(t *testing.T) {
	if !long.Enabled() {
		t.Skip("runs the go command")
	}
	module(t, source, map[string]string{
		"go.mod": `module example.com/m
go 1.26
require example.com/dep v0.0.0
`,
		"vendor/modules.txt": "# example.com/dep v0.0.0\n## explicit; go 1.26\n" +
			"example.com/dep\n",
		"vendor/example.com/dep/dep.go": probe("dep", ""),
	})
	t.Setenv("GOFLAGS", "-mod=vendor")
	require.ElementsMatch(t, ours, compiled(t, Flags(Default(under), "")...))

	rules, err := Parse(t.Context(), "./...")
	require.NoError(t, err)
	require.ElementsMatch(t, ours, compiled(t, Flags(rules, "")...))
}

// All modules of a workspace are the user's.
func TestWorkspace(t *testing.T) {
	if !long.Enabled() {
		t.Skip("runs the go command")
	}
	module(t, source, map[string]string{"go.work": "go 1.26\nuse (\n\t.\n\t./dep\n)\n"})
	t.Setenv("GOWORK", "")
	require.ElementsMatch(t, append(ours, dep), compiled(t, Flags(Default(under), "")...))
}

// Without modules, only the package under test is known to be the user's.
func TestGOPATH(t *testing.T) {
	if !long.Enabled() {
		t.Skip("runs the go command")
	}
	files := map[string]string{}
	for name, content := range source {
		if filepath.Base(name) != "go.mod" {
			files[filepath.Join("src/example.com", strings.Replace("m/"+name, "m/dep", "dep", 1))] = content
		}
	}
	module(t, files)
	wd, err := os.Getwd()
	require.NoError(t, err)
	t.Setenv("GOPATH", wd)
	t.Setenv("GO111MODULE", "off")
	t.Chdir("src/example.com/m")
	require.ElementsMatch(t, []string{under, xtest}, compiled(t, Flags(Default(under), "")...))
}

// module writes files to a new directory and makes it the current one.
func module(t *testing.T, files ...map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	for _, files := range files {
		for name, content := range files {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
			require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
		}
	}
}

// compiled returns those packages in source, and path, that `go test -c` with these
// flags compiles with instrumentation.
func compiled(t *testing.T, flags ...string) []string {
	t.Helper()
	return ofSource(t, dryRun(t, flags...))
}

func ofSource(t *testing.T, compiles map[string]bool) (instrumented []string) {
	t.Helper()
	for _, pkg := range append([]string{dep, std}, ours...) {
		require.Contains(t, compiles, pkg)
		if compiles[pkg] {
			instrumented = append(instrumented, pkg)
		}
	}
	return instrumented
}

// dryRun returns the packages that `go test -c` with these flags would compile if
// nothing were cached, and whether with instrumentation.
func dryRun(t *testing.T, flags ...string) map[string]bool {
	t.Helper()
	args := append([]string{"test", "-c", "-n", "-a", "-vet=off", "-o", "test.exe"}, flags...)
	compiles := map[string]bool{}
	for line := range strings.Lines(goRun(t, append(args, "./under")...)) {
		if m := compile.FindStringSubmatch(line); m != nil {
			compiles[m[1]] = strings.Contains(m[2], instrumentation)
		}
	}
	return compiles
}

// compile matches a command that compiles a package, up to its import path and with
// what follows that.
var compile = regexp.MustCompile(`[/\\]compile(?:\.exe)?"? .* -p (\S+) (.*)`)

// instrumentedIn returns those functions of a test binary of source that are instrumented.
func instrumentedIn(t *testing.T, binary string) []string {
	t.Helper()
	const probes = `Probe$|^path\.Clean$`
	found := map[string]bool{}
	fn := ""
	for line := range strings.Lines(goRun(t, "tool", "objdump", "-s", probes, binary)) {
		if m := function.FindStringSubmatch(line); m != nil {
			fn = m[1]
			found[fn] = false
		} else if strings.Contains(line, "libfuzzerTrace") {
			found[fn] = true
		}
	}
	require.ElementsMatch(t, []string{inLib, inUnder, inTest, inXTest, inDep, inStd},
		slices.Collect(maps.Keys(found)))
	maps.DeleteFunc(found, func(_ string, instrumented bool) bool { return !instrumented })
	return slices.Collect(maps.Keys(found))
}

var function = regexp.MustCompile(`^TEXT ([^(]+)`)

func goRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), out)
	return string(out)
}
