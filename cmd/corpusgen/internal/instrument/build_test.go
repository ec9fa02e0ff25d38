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

	"github.com/stretchr/testify/require"
)

// source is a module with a fuzz target in package under, whose test, external
// test and imports contain a function Probe each, as does the module dep that it
// requires. The path of the temporary directory makes its packages new to the build
// cache.
var source = map[string]string{
	"go.mod": `module example.com/m
go 1.25
require example.com/dep v0.0.0
replace example.com/dep => ./dep
`,
	"lib/lib.go":        probe("lib", "") + "func Lib(x int) bool { return Probe(x) }\n",
	"under/under.go":    probe("under", `"example.com/dep"; "example.com/m/lib"; "path"`) + use,
	"under/in_test.go":  strings.ReplaceAll(probe("under", `"testing"`), "Probe", "InProbe") + target,
	"under/out_test.go": strings.ReplaceAll(probe("under_test", `"testing"; "example.com/m/under"`), "Probe", "OutProbe") + outside,
	"dep/go.mod":        "module example.com/dep\ngo 1.25\n",
	"dep/dep.go":        probe("dep", ""),
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
	return "package " + pkg + "\nimport (" + imports + ")\n//go:noinline\nfunc Probe(x int) bool { return x == 12345 }\n"
}

// All the probes in a test binary, and a function of the standard library.
const (
	inLib   = "example.com/m/lib.Probe"
	inUnder = "example.com/m/under.Probe"
	inTest  = "example.com/m/under.InProbe"
	inXTest = "example.com/m/under_test.OutProbe"
	inDep   = "example.com/dep.Probe"
	inStd   = "path.Clean"
)

var ours = []string{inLib, inUnder, inTest, inXTest}

// counted says that `go test -fuzz` instruments code for this architecture.
var counted = slices.Contains([]string{"amd64", "arm64", "loong64"}, runtime.GOARCH)

// module writes files to a new directory and makes it the current one.
func module(t *testing.T, files ...map[string]string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds test binaries")
	}
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

// build runs `go test -c` and returns the probes that are instrumented.
func build(t *testing.T, args ...string) []string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "test.exe")
	goRun(t, append([]string{"test", "-c", "-vet=off", "-o", binary}, args...)...)

	const probes = `Probe$|^path\.Clean$`
	found := map[string]bool{}
	fn := ""
	for line := range strings.Lines(goRun(t, "tool", "objdump", "-s", probes, binary)) {
		if m := regexp.MustCompile(`^TEXT ([^(]+)`).FindStringSubmatch(line); m != nil {
			fn = m[1]
			found[fn] = false
		} else if strings.Contains(line, "libfuzzerTrace") {
			found[fn] = true
		}
	}
	require.ElementsMatch(t, append([]string{inDep, inStd}, ours...), slices.Collect(maps.Keys(found)))
	maps.DeleteFunc(found, func(_ string, instrumented bool) bool { return !instrumented })
	return slices.Collect(maps.Keys(found))
}

func goRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), out)
	return string(out)
}

// Builds with and without instrumentation share the build cache, in any order, and
// each gets what it asks for.
func TestBuild(t *testing.T) {
	var stock []string
	if counted {
		stock = []string{inLib, inUnder, inTest, inDep, inStd} // but no external tests
	}
	builds := []struct {
		flags []string
		want  []string
	}{
		{Flags(Default("example.com/m/under"), ""), ours},
		{[]string{"-fuzz=."}, stock},
		{nil, nil},
	}
	for _, order := range [][]int{{0, 1, 2, 0}, {2, 1, 0, 1}} {
		module(t, source)
		for _, i := range order {
			b := builds[i]
			require.ElementsMatch(t, b.want, build(t, append(b.flags, "./under")...), b.flags)
		}
	}
}

// The binary fuzzes, with coverage and without complaint, on what it covers.
func TestFuzz(t *testing.T) {
	module(t, source)
	binary := filepath.Join(t.TempDir(), "test.exe")
	args := append([]string{"test", "-c", "-o", binary}, Flags(Default("example.com/m/under"), "")...)
	goRun(t, append(args, "./under")...)

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

func TestPatterns(t *testing.T) {
	module(t, source)
	for list, want := range map[string][]string{
		"./lib":                    {inLib},
		"./...":                    append([]string{inDep}, ours...),
		"example.com/dep/...":      {inDep},
		"all":                      append([]string{inDep, inStd}, ours...),
		"std":                      {inStd},
		"example.com/m/under, std": {inUnder, inTest, inXTest, inStd},
	} {
		rules, err := Parse(t.Context(), list)
		require.NoError(t, err)
		require.ElementsMatch(t, want, build(t, append(Flags(rules, ""), "./under")...), list)
	}
}

func TestOtherFlags(t *testing.T) {
	module(t, source)
	for _, args := range [][]string{
		{"-cover", "-coverpkg=./..."},
		{"-trimpath", "-tags=espalier"},
		{"-race"},
	} {
		if cgo := strings.TrimSpace(goRun(t, "env", "CGO_ENABLED")); args[0] == "-race" && cgo != "1" {
			t.Log("-race needs cgo")
			continue
		}
		args = append(args, Flags(Default("example.com/m/under"), "")...)
		require.ElementsMatch(t, ours, build(t, append(args, "./under")...), args)
	}
}

// Vendored packages lie below the module's directory, but are not of the module.
func TestVendor(t *testing.T) {
	module(t, source, map[string]string{
		"go.mod": `module example.com/m
go 1.25
require example.com/dep v0.0.0
`,
		"vendor/modules.txt":            "# example.com/dep v0.0.0\n## explicit; go 1.25\nexample.com/dep\n",
		"vendor/example.com/dep/dep.go": probe("dep", ""),
	})
	t.Setenv("GOFLAGS", "-mod=vendor")
	require.ElementsMatch(t, ours, build(t, append(Flags(Default("example.com/m/under"), ""), "./under")...))

	rules, err := Parse(t.Context(), "./...")
	require.NoError(t, err)
	require.ElementsMatch(t, ours, build(t, append(Flags(rules, ""), "./under")...))
}

// All modules of a workspace are the user's.
func TestWorkspace(t *testing.T) {
	module(t, source, map[string]string{"go.work": "go 1.25\nuse (\n\t.\n\t./dep\n)\n"})
	t.Setenv("GOWORK", "")
	rules := Default("example.com/m/under")
	require.ElementsMatch(t, append(ours, inDep), build(t, append(Flags(rules, ""), "./under")...))
}

// Without modules, only the package under test is known to be the user's.
func TestGOPATH(t *testing.T) {
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
	rules := Default("example.com/m/under")
	require.ElementsMatch(t, []string{inUnder, inTest, inXTest}, build(t, append(Flags(rules, ""), "./under")...))
}
